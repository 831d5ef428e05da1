/**
 * The shapes that travel between server and page, as JSDoc types. Nothing here runs.
 * Tiles are texts: "1m".."9m", "0m" a red five, "1z".."7z"; "?" is a tile that is not known.
 * @module
 */

/** @typedef {string} TileText */
/** @typedef {"riichi" | "guobiao" | "simplified"} Family */
/** @typedef {"chi" | "pon" | "open_kan" | "concealed_kan" | "added_kan"} MeldKind */

/**
 * @typedef {object} Meld
 * @property {MeldKind} kind
 * @property {TileText[]} tiles
 * @property {number | null} called index in `tiles` of the called tile
 * @property {number | null} from seat whose tile was called
 */

/**
 * @typedef {object} RiverTile
 * @property {TileText} tile
 * @property {boolean} tsumogiri
 * @property {boolean} riichi declared with this tile: it lies sideways
 * @property {boolean} called taken away by a call
 */

/**
 * @typedef {object} Seat
 * @property {string} name
 * @property {string | null} agent
 * @property {string} wind "E", "S", "W" or "N"
 * @property {number} score
 * @property {number} rank
 * @property {TileText[] | null} hand null where it is hidden; without the drawn tile
 * @property {number} count tiles that stand there, without the drawn one
 * @property {TileText | null} drawn "?" where it is hidden
 * @property {Meld[]} melds
 * @property {RiverTile[]} river
 * @property {boolean} riichi
 * @property {number[]} [flowers] of Guobiao
 */

/**
 * @typedef {object} Winner
 * @property {number} seat
 * @property {number | null} loser
 * @property {TileText[]} hand
 * @property {Meld[]} melds
 * @property {TileText} tile
 * @property {{name: string, romaji?: string, kanji?: string, han: number}[]} [yaku]
 * @property {{name: string, chinese?: string, points: number, count?: number}[]} [fan]
 * @property {number} [han]
 * @property {number} [fu]
 * @property {string} [limit]
 * @property {number} points
 * @property {number} [yakuman] how many, 0 for none
 * @property {number} [total]
 * @property {{name: string, fu: number}[]} [fu_parts]
 * @property {TileText[]} [dora]
 * @property {TileText[]} [ura]
 */

/**
 * @typedef {object} Result
 * @property {string} kind
 * @property {Winner[]} winners
 * @property {number[]} changes
 * @property {boolean[]} tenpai
 * @property {number[]} scores
 * @property {{ranks: number[], points: number[]} | null} [final]
 */

/**
 * One moment of a table.
 * @typedef {object} Position
 * @property {{id: string, family: Family, name: string, rounds: number}} rules
 * @property {number | null} viewer the seat that sits below; null shows seat 0 there
 * @property {number} round
 * @property {string} round_name
 * @property {number} honba
 * @property {number} sticks
 * @property {number} left tiles left in the wall
 * @property {number} dealer
 * @property {number} turn
 * @property {string} phase "turn", "reaction", "hand_over" or "game_over"
 * @property {TileText[]} dora
 * @property {TileText[]} ura
 * @property {Seat[]} seats
 * @property {{seat: number, tile: TileText} | null} last the discard that may be called
 * @property {Result | null} result
 */

/**
 * A legal action.
 * @typedef {object} Choice
 * @property {number} action
 * @property {string} kind "discard", "tsumogiri", "riichi", "chi", "pon", "kan", "tsumo", "ron", "nine_terminals" or "pass"
 * @property {TileText | null} tile
 * @property {TileText[]} [tiles] own tiles used in a call
 * @property {MeldKind} [kan] which kan it makes
 * @property {string} name
 */

/**
 * Something that an agent or an error says: a pattern in English, and what stands in it.
 * @typedef {{pattern: string, values: {[name: string]: number | string | Phrase}}} Phrase
 */

/**
 * What an agent makes of one choice.
 * @typedef {Choice & {loss: number | null, experts: number | null, numbers: Record<string, number | null>, plan?: string, then?: Phrase[]}} WeighedChoice
 */

/**
 * What an agent makes of a decision; best choice first.
 * @typedef {object} Thought
 * @property {string} agent
 * @property {number} best
 * @property {WeighedChoice[]} choices
 * @property {number[] | null} [tenpai]
 * @property {string} [line] how the best choice is meant to go on, in English
 * @property {Phrase[]} [steps] the same for any language, after the choice itself
 * @property {Record<TileText, number> | null} [danger]
 * @property {string | null} unit what losses are measured in; null if the agent puts no value on choices
 * @property {boolean} alike all choices have the same value
 */

/**
 * @typedef {object} LiveEvent
 * @property {string} type
 * @property {number} [seat]
 * @property {TileText} [tile]
 * @property {string} [kind]
 * @property {boolean} [tsumogiri]
 * @property {boolean} [riichi]
 * @property {number} [from]
 * @property {number | null} [loser]
 */

/**
 * @typedef {object} Ask
 * @property {number} id
 * @property {Choice[]} choices
 * @property {number | null} deadline seconds left
 */

/**
 * What the server tells of a game that is played or watched.
 * @typedef {object} LiveState
 * @property {"state"} type
 * @property {number} seq
 * @property {string} [id]
 * @property {"play" | "watch" | "replay"} [kind]
 * @property {Position} position
 * @property {Ask | null} ask
 * @property {LiveEvent[]} events
 * @property {{win: boolean, calls: boolean, tsumogiri: boolean} | null} [auto]
 * @property {{base: number, extra: number} | null} [clock]
 * @property {boolean} [practice]
 * @property {boolean} [can_undo]
 * @property {number[]} [thinking]
 * @property {{wanted: boolean, ready: number[]} | null} [next]
 * @property {{pace: number, paused: boolean, open: boolean} | null} [watch]
 * @property {boolean} over
 */

/**
 * What a board is told besides the position.
 * @typedef {object} BoardOptions
 * @property {boolean} [animate] whether tiles may move
 * @property {Choice[]} [choices] what may be done; tiles of discards become buttons
 * @property {(choice: Choice) => void} [onChoice] called when a tile is chosen
 * @property {Record<TileText, string> | null} [highlight] classes for tiles of the hand below, such as {"5m": "best"}
 * @property {Record<TileText, number> | null} [danger] chance that a tile deals in, drawn as a bar over the tiles of the hand below
 * @property {boolean} [open] show every hand that is known
 * @property {boolean} [confirm] a tile is lifted by the first press and goes with the second
 */

/**
 * @typedef {object} Params
 * @property {string | null} id
 * @property {string[]} rest
 * @property {URLSearchParams} query
 */

/**
 * What a page is given of the shell.
 * @typedef {object} App
 * @property {(key: string, values?: Record<string, string | number>) => string} t
 * @property {() => import("./i18n.js").Language} language
 * @property {(text: string) => void} announce tells screen readers
 * @property {(text: string, kind?: "info" | "error") => void} toast shows a short message
 * @property {(hash: string) => void} go
 */

/** @typedef {{unmount(): void}} Mounted */
/** @typedef {{mount(root: HTMLElement, params: Params, app: App): Mounted | Promise<Mounted>}} PageModule */

export {};
