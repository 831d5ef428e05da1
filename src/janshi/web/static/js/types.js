/**
 * The types that the page's scripts share. What server and page exchange is in `schema.d.ts`; nothing here runs.
 * Tiles are texts: "1m".."9m", "0m" a red five, "1z".."7z"; "?" is a hidden tile.
 * @module
 */

/** @typedef {import("./schema.js").TileText} TileText */
/** @typedef {import("./schema.js").MeldKind} MeldKind */
/** @typedef {import("./schema.js").Meld} Meld */
/** @typedef {import("./schema.js").RiverTile} RiverTile */
/** @typedef {import("./schema.js").Seat} Seat */
/** @typedef {import("./schema.js").Winner} Winner */
/** @typedef {import("./schema.js").Result} Result */
/** @typedef {import("./schema.js").Position} Position */
/** @typedef {import("./schema.js").Choice} Choice */
/** @typedef {import("./schema.js").PhraseText} Phrase */
/** @typedef {import("./schema.js").WeighedChoice} WeighedChoice */
/** @typedef {import("./schema.js").Thought} Thought */
/** @typedef {import("./schema.js").LiveEvent} LiveEvent */
/** @typedef {import("./schema.js").AskText} Ask */
/** @typedef {import("./schema.js").LiveState} LiveState */

/**
 * Options of a board, besides the position.
 * @typedef {object} BoardOptions
 * @property {boolean} [animate] whether tiles may move
 * @property {Choice[]} [choices] what may be done; tiles of discards become buttons
 * @property {(choice: Choice) => void} [onChoice] called when a tile is chosen
 * @property {Record<TileText, string> | null} [highlight] classes for tiles of the hand below, such as {"5m": "best"}
 * @property {Record<TileText, number> | null} [danger] chance that a tile deals in, a bar over each tile of that hand
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
 * What a page gets from the shell.
 * @typedef {object} App
 * @property {(key: string, values?: Record<string, string | number>) => string} t
 * @property {() => import("./i18n.js").Language} language
 * @property {(text: string) => void} announce announces a text to screen readers
 * @property {(text: string, kind?: "info" | "error") => void} toast shows a short message
 * @property {(hash: string) => void} go
 */

/** @typedef {{unmount(): void}} Mounted */
/** @typedef {{mount(root: HTMLElement, params: Params, app: App): Mounted | Promise<Mounted>}} PageModule */

export {};
