// The types of what server and page exchange. Written by scripts/write_page_types.py: do not edit.

/** The answer to a question was kept. */
export interface Accepted {
  type: "accepted";
  ask: number;
}

/** A review of the same game by another agent or for another seat. */
export interface Again {
  agent?: string;
  seat?: "all" | "0" | "1" | "2" | "3";
}

/** An agent; `label` is what to put in a seat, `unit` what its values are measured in. */
export interface AgentText {
  name: string;
  label: string;
  idea: string;
  paper: string;
  families: string[];
  explains: boolean;
  unit: string | null;
  title: string;
  style: string;
  level: number | null;
  rating: RatingText | null;
  ahead: number | null;
  games: number;
  agreement: number | null;
}

/** The traits of each family by its name, and the `usual` ones, those of any other family. */
export interface AllTraits {
  families: { [name: string]: FamilyTraits };
  usual: FamilyTraits;
}

/** An answer to a problem. */
export interface Answer {
  problem: string;
  action: number;
  /** Whether it was asked as the problem of the day. */
  daily?: boolean;
}

/** An action for the open question. */
export interface AnswerMessage {
  type: "answer";
  ask: number;
  action: number;
}

/** A question put to the viewer; `deadline` is the seconds left. */
export interface AskText {
  id: number;
  choices: Choice[];
  deadline: number | null;
}

/** Change auto-options. */
export interface AutoMessage {
  type: "auto";
  win?: boolean;
  calls?: boolean;
  tsumogiri?: boolean;
}

/** Automatic answers: win whenever possible, never call, discard the drawn tile. */
export interface AutoOptions {
  win: boolean;
  calls: boolean;
  tsumogiri: boolean;
}

/** A game that was started. */
export interface Begun {
  id: string;
  key: string;
  keys: { [name: string]: string };
  url: string;
}

export interface Body_upload_api_career_files_post {
  /** Recorded games, and zip or tar archives of them. */
  files: Blob[];
}

export interface Body_upload_api_reviews_post {
  /** A recorded game. */
  file?: Blob | null;
  /** A recorded game, pasted. */
  text?: string;
  agent?: string;
  /** Whom to review; `none` only to watch the game. */
  seat?: "all" | "none" | "0" | "1" | "2" | "3";
}

export interface CallEvent {
  type: "call";
  seat: number;
  from: number;
  kind: string;
  tile: TileText;
  tiles: TileText[];
}

/** How well a player played, by the reviewer: shares from 0 to 1, a rating from 0 to 100, null if not known. */
export interface CardText {
  decisions: number;
  agreement: number | null;
  loss: number | null;
  per_hand: number | null;
  bad: number | null;
  rating: number | null;
  percentiles: { [name: string]: number | null };
  turning_points: number[];
}

/** Rank and points at the table, with and without luck; `total`: final points so far, by games. */
export interface CareerCurves {
  window: number;
  rank: CurveText;
  luckless_rank: CurveText;
  won: CurveText;
  luckless_won: CurveText;
  total: [number, number][];
}

/** How many games were deleted. */
export interface CareerDeleted {
  deleted: number;
}

/** A figure with its 95 % interval and the number behind it; null if there is nothing to count. */
export interface CareerFigure {
  value: number | null;
  low: number | null;
  high: number | null;
  number: number;
}

/** One of the person's games; luck in places, positive if it was good. */
export interface CareerGame {
  id: number;
  name: string;
  played: string | null;
  players: string[];
  seat: number;
  rounds: number;
  rank: number | null;
  score: number | null;
  points: number | null;
  luck: number | null;
  by_source: { [name: string]: number } | null;
  luckless_rank: number | null;
  problem: string;
  review: string | null;
  review_state: string | null;
}

/** Some of the person's games, and how many there are. */
export interface CareerGames {
  games: CareerGame[];
  total: number;
}

/** What changes while something is going on. */
export interface CareerState {
  names: string[];
  games: number;
  mine: number;
  importing: ImportState;
  luck: LuckState;
  reviews: ReviewQueue;
}

/** The page of a career. */
export interface CareerText {
  state: CareerState;
  first: string | null;
  last: string | null;
  shown: number;
  lengths: { [name: string]: number };
  table: { [name: string]: { [name: string]: CareerFigure } };
  houou: HououText;
  luck: LuckSummary | null;
  curves: CareerCurves;
  habits: HabitText[];
  habit_kinds: number;
  luckiest: CareerGame[];
  unluckiest: CareerGame[];
  losses: LossText | null;
  endings: string[];
}

/** How the hand may end after each choice, by action: chances of `win`, `lose`, `other` and two kinds of draws. */
export interface ChancesText {
  agent: string;
  choices: { [name: string]: { [name: string]: number } };
}

/** A legal action: its tile, the player's tiles it uses, which kan it makes, whether it discards the drawn tile. */
export interface Choice {
  action: number;
  kind: ChoiceKind;
  tile: TileText | null;
  tiles: TileText[];
  kan?: MeldKind;
  drawn?: boolean;
  name: string;
}

export type ChoiceKind =
  | "discard"
  | "tsumogiri"
  | "riichi"
  | "chi"
  | "pon"
  | "kan"
  | "tsumo"
  | "ron"
  | "nine_terminals"
  | "pass"
  | "other";

/** How many reviews were deleted. */
export interface Cleared {
  deleted: number;
}

/** Seconds for each decision, and what is left of the reserve. */
export interface ClockText {
  base: number;
  extra: number;
}

/** A mean after a number of games, with its 95 % interval. */
export interface CurvePoint {
  game: number;
  value: number;
  low: number;
  high: number;
}

/** A curve of all games so far, and of the latest `window` games. */
export interface CurveText {
  so_far: CurvePoint[];
  latest: CurvePoint[];
}

/** All curves. */
export interface Curves {
  learning: Learning[];
  thinking: Thinking;
}

/** What was answered on a day (ISO date). */
export interface DayText {
  day: string;
  answered: number;
  right: number;
}

export type DecisionKind = "discard" | "call" | "riichi" | "fold" | "win";

/** Several decisions. */
export interface DecisionList {
  decisions: DecisionText[];
}

/** A decision in full; `gap`: experts make the reviewer's choice this much more often; `alike`: all are equal. */
export interface DecisionText {
  number: number;
  hand: number;
  seat: number;
  turn: number;
  kind: DecisionKind;
  reaction: boolean;
  tag: string;
  played: number;
  best: number;
  agreed: boolean;
  loss: number | null;
  gap: number | null;
  stake?: number | null;
  alike: boolean;
  choices: JudgedChoice[];
  line: string;
  steps?: PhraseText[];
  tenpai: number[];
  opponents: OpponentsText | null;
  outlook?: OutlookText | null;
  threat: boolean;
  position: Position;
}

/** The deleted review. */
export interface Deleted {
  deleted: string;
}

/** Two contestants of a match, the first minus the second. */
export interface Difference {
  first: string;
  second: string;
  rank: Figure;
  points: Figure;
}

/** What is left of a hand after a discard. */
export interface Discard {
  tile: string;
  shanten: number;
  useful: Useful[];
  left: number;
  second: number | null;
}

/** A player discarded. */
export interface DiscardEvent {
  type: "discard";
  seat: number;
  tile: TileText;
  tsumogiri: boolean;
  riichi: boolean;
}

/** Something was stored or deleted. */
export interface Done {
  ok: boolean;
}

/** A dora indicator was turned. */
export interface DoraEvent {
  type: "dora";
  tile: TileText;
}

/** A player drew; the tile is there only for those who see it. */
export interface DrawEvent {
  type: "draw";
  seat: number;
  tile?: TileText;
}

/** A discard in a drill. */
export interface DrillAnswer {
  number: number;
  tile: string;
}

/** The result of a drill. */
export interface DrillEnd {
  right: number;
  answered: number;
  seconds: number;
}

/** A question of a drill: a hand, or a position with its choices. */
export interface DrillQuestion {
  number: number;
  hand: string[] | null;
  question: QuizQuestion | null;
}

/** The result of one drill. */
export interface DrillResult {
  day: string;
  right: number;
  answered: number;
  seconds: number;
}

/** One discard of a drill: efficiency has `shanten` and `left` (useful tiles), defence `danger`. */
export interface DrillRow {
  tile: string;
  right: boolean;
  shanten: number | null;
  left: number | null;
  danger: number | null;
}

/** Whether a discard was right, and all discards, the best first. */
export interface DrillVerdict {
  right: boolean;
  rows: DrillRow[];
}

/** What a hand needs. */
export interface Efficiency {
  family: "riichi" | "guobiao";
  hand: string[];
  melds: MeldShown[];
  count: 13 | 14;
  shanten: number;
  useful: Useful[];
  left: number;
  discards: Discard[];
}

/** A hand of 13 or 14 tiles, and what else is seen on the table. */
export interface EfficiencyQuestion {
  /** concealed tiles; melds may follow */
  tiles: string;
  melds?: string[];
  family?: "riichi" | "guobiao";
  /** tiles seen elsewhere: rivers, melds, indicators */
  seen?: string;
}

/** The hand ended. */
export interface EndEvent {
  type: "end";
  kind: string;
  changes: number[];
}

/** Any error response. */
export interface ErrorAnswer {
  error: ProblemText;
}

export type ErrorCode =
  | "not_found"
  | "method_not_allowed"
  | "http_error"
  | "request_invalid"
  | "internal_error"
  | "host_unknown"
  | "origin_refused"
  | "token_needed"
  | "body_too_long"
  | "getting_ready"
  | "loading_rules"
  | "loading_agent"
  | "untranslated"
  | "game_not_found"
  | "game_not_yours"
  | "game_outdated"
  | "too_many_games"
  | "quota_games"
  | "key_wrong"
  | "wrong_seat_count"
  | "seed_needs_one_player"
  | "rules_unknown"
  | "download_not_allowed"
  | "format_unknown"
  | "no_hand_over"
  | "game_not_over"
  | "continue_rules_unknown"
  | "agent_cannot_play"
  | "agent_cannot_hint"
  | "agent_unknown"
  | "agent_file_refused"
  | "agent_option_too_large"
  | "agent_remembers"
  | "agent_does_not_explain"
  | "agent_failed"
  | "too_many_viewers"
  | "players_only"
  | "host_only"
  | "pace_invalid"
  | "open_invalid"
  | "hands_closed"
  | "agent_invalid"
  | "hint_running"
  | "message_not_json"
  | "message_without_type"
  | "message_unknown"
  | "message_refused"
  | "message_failed"
  | "integer_expected"
  | "auto_invalid"
  | "question_closed"
  | "action_illegal"
  | "hand_not_over"
  | "nothing_to_decide"
  | "hints_need_agents"
  | "nothing_to_undo"
  | "undo_needs_practice"
  | "match_unreadable"
  | "match_not_found"
  | "match_game_not_found"
  | "match_game_unreadable"
  | "review_not_found"
  | "review_not_yours"
  | "too_many_reviews"
  | "quota_reviews"
  | "quota_bytes"
  | "quota_career_games"
  | "quota_career_bytes"
  | "career_game_not_found"
  | "career_name_unknown"
  | "decision_not_found"
  | "seat_not_reviewed"
  | "quiz_not_found"
  | "quiz_other_question"
  | "quiz_no_such_choice"
  | "too_many_uploads"
  | "too_many_waiting"
  | "game_not_reviewed"
  | "reviewer_has_no_values"
  | "reviewer_unknown"
  | "reviewer_option_unknown"
  | "reviewer_budget_invalid"
  | "upload_not_text"
  | "formats_known"
  | "upload_empty"
  | "upload_has_zero_bytes"
  | "gzip_unreadable"
  | "gzip_cut_short"
  | "upload_too_large"
  | "upload_too_deep"
  | "json_not_a_record"
  | "text_not_a_record"
  | "worker_too_slow"
  | "worker_silent"
  | "worker_out_of_time"
  | "worker_killed"
  | "worker_crashed"
  | "worker_gave_no_answer"
  | "worker_stopped_early"
  | "record_needs_memory"
  | "record_too_deep"
  | "record_damaged"
  | "luck_riichi_only"
  | "luck_failed"
  | "luck_not_installed"
  | "luck_not_measured"
  | "luck_not_scored"
  | "problem_not_found"
  | "problems_unreadable"
  | "drill_impossible"
  | "hand_refused"
  | "tiles_unreadable"
  | "digits_expected"
  | "suit_expected"
  | "tile_expected"
  | "honours_end"
  | "suit_missing"
  | "tile_not_one"
  | "too_many_red"
  | "too_many_alike"
  | "meld_form_unknown"
  | "added_kan_form"
  | "meld_unreadable"
  | "meld_wrong_size"
  | "not_a_chi"
  | "meld_mixed"
  | "too_many_melds"
  | "hand_wrong_size"
  | "hand_impossible"
  | "seen_impossible"
  | "red_five_in_guobiao"
  | "winning_tile_missing"
  | "winning_tile_not_held"
  | "no_yaku"
  | "hand_not_complete"
  | "guobiao_not_complete"
  | "ippatsu_needs_riichi"
  | "rinshan_needs_tsumo"
  | "chankan_needs_ron"
  | "rinshan_not_last_tile"
  | "chankan_not_last_tile"
  | "kan_ends_ippatsu"
  | "first_turn_needs_tsumo"
  | "first_turn_comes_first"
  | "riichi_needs_closed_hand"
  | "ura_needs_riichi"
  | "rinshan_needs_kan"
  | "first_turn_without_melds"
  | "chankan_tile_alone"
  | "after_kong_needs_self_draw"
  | "robbing_not_self_drawn"
  | "after_kong_needs_kong"
  | "last_of_kind_alone"
  | "robbing_tile_alone";

/** The hand after a choice: shanten, useful tiles with how many are left, its worth, dangers, safe tiles kept. */
export interface FactsText {
  discard: string | null;
  shanten: number;
  useful: [string, number][];
  tiles: number;
  reach: ReachText | null;
  fan: FanReachText | null;
  danger: number[] | null;
  safe: number | null;
}

/** A family's traits, with those that follow from other facts about it. */
export interface FamilyTraits {
  terms: string;
  honba: boolean;
  tenpai_shown: boolean;
  rounds: boolean;
  value: "points" | "fan";
  kinds: DecisionKind[];
  least_chance: number;
  yardstick: string;
  agreement: boolean;
  ranked: boolean;
  hides_kans: boolean;
  chances: boolean;
}

/** A fan of a win; `points` is what it adds in all. */
export interface FanLine {
  name: string;
  chinese?: string;
  points: number;
  count: number;
}

/** The wins in reach of a Guobiao hand: tiles missing to eight fan, expected points, mean fan of a win, its fan. */
export interface FanReachText {
  missing: number;
  points: number;
  mean: number;
  fans: FanShare[];
}

/** A fan in reach, and the share of the wins that have it. */
export interface FanShare {
  name: string;
  chinese: string;
  value: number;
  share: number;
}

/** A figure with its 95 % interval. */
export interface Figure {
  value: number;
  low: number;
  high: number;
}

/** A file that could not be read, and why. */
export interface FileProblem {
  file: string;
  what: string;
}

/** Files that could not be read. */
export interface FileProblems {
  problems: FileProblem[];
  total: number;
}

/** Ranks and final points of a game. */
export interface FinalResult {
  ranks: number[];
  points: number[];
}

/** A cause of fu. */
export interface FuPart {
  name: string;
  fu: number;
}

/** A Guobiao hand that has won, and how. */
export interface GuobiaoWin {
  /** concealed tiles; melds may follow */
  tiles: string;
  melds?: string[];
  family: "guobiao";
  winning_tile?: string | null;
  seat_wind?: "E" | "S" | "W" | "N";
  round_wind?: "E" | "S" | "W" | "N";
  self_drawn?: boolean;
  last_of_kind?: boolean;
  last_tile?: boolean;
  after_kong?: boolean;
  robbing?: boolean;
  flowers?: number;
}

/** A kind of hand, compared with houou players: shares of hands, worth in places a hand, cost in places a game. */
export interface HabitText {
  kind: string;
  hands: number;
  share: number;
  houou_share: number;
  worth: number;
  houou_worth: number;
  difference: number;
  low: number;
  high: number;
  cost: number;
  cost_low: number;
  cost_high: number;
  significant: boolean;
}

/** A hand was dealt; `seat` begins. */
export interface HandEvent {
  type: "hand";
  seat: number;
}

/** A hand of a reviewed game, and how many decisions each seat had in it. */
export interface HandHead {
  name: string;
  honba: number;
  scores: number[];
  decisions: number[];
  start: HandStart;
  end: Position;
}

/** How a hand began. */
export interface HandStart {
  rules: RulesName;
  dealer: number;
}

export type Heard = AnswerMessage | HintMessage | AutoMessage | PaceMessage | OpenMessage | PlainMessage;

/** An agent's opinion of the open question. */
export interface Hint {
  type: "hint";
  ask: number;
  thought: Thought;
}

/** Ask an agent (by default the strongest) about the open question. */
export interface HintMessage {
  type: "hint";
  agent?: string | null;
}

/** Houou players' figures for comparison. */
export interface HououText {
  rounds: number;
  games: number;
  luck_games: number;
  source: string;
  table: { [name: string]: { [name: string]: CareerFigure } };
}

/** How far the import is: uploads that wait, and what became of the records of all uploads listed. */
export interface ImportState {
  running: boolean;
  uploads: number;
  reading: string;
  games: number;
  duplicates: number;
  problems: number;
  read_bytes: number;
  total_bytes: number;
}

/** The reviewer's opinion of a choice: its loss, and how often experts make it; null is unknown. */
export interface JudgedChoice {
  action: number;
  kind: ChoiceKind;
  tile: TileText | null;
  tiles: TileText[];
  kan?: MeldKind;
  drawn?: boolean;
  name: string;
  value: number | null;
  loss: number | null;
  experts: number | null;
  numbers: { [name: string]: number };
  meant: string;
  then?: PhraseText[];
}

/** A player made a kan on their own turn. */
export interface KanEvent {
  type: "kan";
  seat: number;
  kind: string;
  tile: TileText | null;
}

/** A game of this browser; keys of seats by seat, times in seconds since 1970. */
export interface KeptGame {
  id: string;
  kind: "play" | "watch" | "replay";
  rules: string;
  rounds: number;
  over: boolean;
  created: number;
  changed: number;
  scores?: number[];
  round?: string;
  seats: string[];
  names: string[];
  keys: { [name: string]: string };
  practice: boolean;
}

/** The last discarded tile, and whose it was. */
export interface LastTile {
  seat: number;
  tile: TileText;
}

/** Runs of one game. */
export interface Learning {
  id: string;
  rules: string;
  against: string;
  page: string;
  date: string;
  columns: string[];
  runs: Run[];
}

/** A review in a list; `worst` is its largest loss. */
export interface ListedReview {
  id: string;
  created: number;
  name: string;
  format: string;
  family: string;
  agent: string;
  seats: number[];
  state: ReviewState;
  message: string;
  total: number;
  done: number;
  worst: number | null;
}

export type LiveEvent =
  | HandEvent
  | DrawEvent
  | DiscardEvent
  | RiichiEvent
  | KanEvent
  | CallEvent
  | DoraEvent
  | WinEvent
  | EndEvent
  | OverEvent
  | UndoEvent;

/** The state of a game, and what has happened since the last one. */
export interface LiveState {
  type: "state";
  id: string;
  kind: "play" | "watch" | "replay";
  seq: number;
  position: Position;
  events: LiveEvent[];
  ask: AskText | null;
  auto: AutoOptions | null;
  clock: ClockText | null;
  practice: boolean;
  can_undo: boolean;
  thinking: number[];
  next: NextHand | null;
  watch: Watching | null;
  over: boolean;
}

/** Mean loss of some games in a row, by kind of decision, in places a game. */
export interface LossPoint {
  first: number;
  last: number;
  games: number;
  by_kind: { [name: string]: CareerFigure };
  total: CareerFigure;
}

/** Losses of reviewed games over time, by the reviewer most of them have. */
export interface LossText {
  reviewer: string;
  games: number;
  kinds: string[];
  points: LossPoint[];
  total: CareerFigure;
  by_kind: { [name: string]: CareerFigure };
}

export type LuckEvent = [number, number, number, string, number, number[], number[]];

/** How many of the person's games have been measured, wait for it, or cannot be. */
export interface LuckState {
  known: number;
  waiting: number;
  impossible: number;
  trained: number;
}

/** Rank and points at the table of measured games, with and without luck; `worth`: raw games one game counts for. */
export interface LuckSummary {
  games: number;
  rank: CareerFigure;
  luckless_rank: CareerFigure;
  luck: number;
  by_source: { [name: string]: number };
  won: CareerFigure;
  luckless_won: CareerFigure;
  worth: number | null;
}

/** Luck by kind of chance event and measure (places, points) of each seat; or why there is none, or not yet. */
export interface LuckText {
  available: boolean;
  running?: boolean;
  why?: string;
  problem?: ProblemText;
  value?: string;
  measures?: string[];
  kinds?: string[];
  hands?: { [name: string]: number[][] }[];
  events?: LuckEvent[];
  total?: { [name: string]: number[][] };
  luck?: number[][];
  ranks?: number[];
  scores?: number[];
  adjusted_ranks?: number[];
  adjusted_scores?: number[];
  problems?: string[];
}

/** A review that has been started. */
export interface Made {
  id: string;
  /** Address of its page on this server; it may be shared. */
  url: string;
  /** Number of decisions to be reviewed. */
  total: number;
}

/** A match and its figures. */
export interface Match {
  id: string;
  name: string;
  rules: string;
  contestants: string[];
  created: string;
  games: number;
  planned: number;
  lines: MatchLine[];
  differences: Difference[];
}

/** A match stored in the data directory. */
export interface MatchHead {
  id: string;
  name: string;
  rules: string;
  contestants: string[];
  created: string;
  games: number;
  planned: number;
}

/** The figures of one contestant in a match. */
export interface MatchLine {
  label: string;
  games: number;
  rank: Figure | null;
  points: Figure | null;
  places: Figure[];
  rates: { [name: string]: Figure };
  amounts: { [name: string]: Figure };
  milliseconds: number;
  faults: { [name: string]: number };
}

/** A player measured against copies of another on duplicate walls. */
export interface Measurement {
  rules: string;
  agent: string;
  player: string;
  against: string;
  games: number;
  rank: Figure | null;
  points: Figure | null;
  win: number | null;
  deal_in: number | null;
  milliseconds: number | null;
  date: string;
  machine: string;
  page: string;
}

export interface Meld {
  kind: MeldKind;
  tiles: TileText[];
  called: number | null;
  from: number | null;
}

export type MeldKind = "chi" | "pon" | "open_kan" | "concealed_kan" | "added_kan";

/** A meld with its tiles. */
export interface MeldShown {
  kind: string;
  tiles: string[];
}

/** A position of a recorded hand with all hands open, and who is asked. */
export interface MomentText {
  moment: number;
  asked: number[];
  position: Position;
}

/** The names under which a person plays, as in the records. */
export interface Names {
  names: string[];
}

/** A game to start. */
export interface NewGame {
  /** A rule set of `/api/rules`. */
  rules?: string;
  /** Riichi: 1 East only, 2 East and South. */
  rounds?: number | null;
  /** "you" or an agent's label for each seat; a game without "you" is only watched. */
  seats?: string[];
  /** Shuffle the seats. */
  shuffle?: boolean;
  /** Seed of the walls; by default it is secret. */
  seed?: number | null;
  /** Moves may be taken back. */
  practice?: boolean;
  /** A clock, or none. */
  time?: TimeControl | null;
  /** What the person is called. */
  name?: string;
  /** Seconds between the agents' moves. */
  pace?: number | null;
}

/** Whether the next hand waits for people, and who is ready. */
export interface NextHand {
  wanted: boolean;
  ready: number[];
}

/** The next problem of a source; null if there is none. */
export interface NextProblem {
  problem: PracticeProblem | null;
}

/** The games that percentiles compare with. */
export interface NormsText {
  source: string;
  games: number;
  date: string;
  agent: string;
}

/** Show all hands, or hide them. */
export interface OpenMessage {
  type: "open";
  open: boolean;
}

/** The chance that each opponent is tenpai, and that each kind of tile deals in to each of them. */
export interface OpponentsText {
  tenpai: number[];
  danger: number[][];
}

/** What the discards of a hand promise, best first; empty for a hand with melds or of 13 tiles. */
export interface Outlook {
  agent: string;
  discards: Promise[];
}

/** How the hand ends for the player, before the decision: chances that add up to 1. */
export interface OutlookText {
  win: number;
  lose: number;
  draw: number;
  other: number;
}

/** The game is over. */
export interface OverEvent {
  type: "over";
}

/** The smallest wins that change the order with another player: what a ron or a self-draw pays; null: none does. */
export interface OvertakeText {
  seat: number;
  gap: number;
  ron: number | null;
  ron_others: number | null;
  tsumo: number[] | null;
}

/** Change the seconds between the moves of a game that is watched. */
export interface PaceMessage {
  type: "pace";
  seconds: number;
}

/** What each of some payers pays. */
export interface Paid {
  payer: string;
  points: number;
}

/** A cause of fu. */
export interface Part {
  name: string;
  fu: number;
}

/** Who pays what. */
export interface Payment {
  payer: "discarder" | "dealer" | "others" | "everyone";
  points: number;
}

export type Phase = "turn" | "reaction" | "hand_over" | "game_over";

/** A text that can be translated: a pattern in English, with names of values in braces. */
export interface PhraseText {
  pattern: string;
  values: { [name: string]: number | string | PhraseText };
}

/** A message without content. */
export interface PlainMessage {
  type: "next" | "undo" | "ping" | "pause" | "resume" | "step";
}

/** Mistakes that belong together, and the worst of them. */
export interface PlanText {
  numbers: number[];
  hand: number;
  seat: number;
  kind: DecisionKind;
  tag: string;
  cost: number | null;
  worst: number;
  worst_loss: number;
}

/** A position to play on from: a decision by its number, or a moment of a hand; and who plays. */
export interface PlayOn {
  /** A reviewed decision. */
  number?: number | null;
  hand?: number;
  /** A moment of the hand, as `/hands/{hand}` numbers them. */
  moment?: number;
  /** The seat that you take over. */
  seat: number;
  /** What the person is called. */
  name?: string;
  /** The agent that plays the others; empty: the usual one. */
  opponents?: string;
}

/** An agent, or a third-party player that was measured. */
export interface Player {
  name: string;
  idea: string;
  paper: string;
  families: string[];
  needs: string;
  third_party: boolean;
  page: string;
  measured: Measurement[];
  title: string;
  style: string;
  standings: { [name: string]: Standing };
  agreement: number | null;
}

/** A name in the records, and in how many games it occurs. */
export interface PlayerFound {
  name: string;
  games: number;
}

/** Names in the records, the most frequent first. */
export interface PlayersFound {
  players: PlayerFound[];
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
}

/** One moment of a table as a viewer sees it; a null viewer is a spectator. */
export interface Position {
  rules: RulesName;
  viewer: number | null;
  round: number;
  round_name: string;
  honba: number;
  sticks: number;
  left: number;
  dealer: number;
  walls?: number[] | null;
  turn: number;
  phase: Phase;
  dora: TileText[];
  ura: TileText[];
  seats: Seat[];
  last: LastTile | null;
  result: Result | null;
}

/** Where somebody stands: the daily problem, problems to repeat, boxes, days, drills. */
export interface PracticeOverview {
  today: string;
  daily: boolean | null;
  streak: number;
  due: number;
  own: number;
  expert: number;
  boxes: number[];
  days: DayText[];
  drills: { [name: string]: DrillResult[] };
}

/** A problem without its answer. */
export interface PracticeProblem {
  id: string;
  question: QuizQuestion;
  own: boolean;
  box: number | null;
}

export type Preset = "tenhou" | "tenhou_east" | "tenhou_no_red" | "mahjong_soul" | "mleague";

/** A problem: a code, its values (which can be problems themselves), and the message in English. */
export interface ProblemText {
  code: ErrorCode;
  values: { [name: string]: number | string | ProblemText };
  message: string;
}

/** What a discard promises. */
export interface Promise {
  tile: string;
  win: number;
  points: number;
}

/** A hand: 13 or 14 tiles as people write them, with melds in brackets after them or given separately. */
export interface Question {
  /** concealed tiles; melds may follow */
  tiles: string;
  melds?: string[];
}

/** How many reviews were queued. */
export interface Queued {
  queued: number;
}

/** An answer to a question. */
export interface QuizAnswer {
  number: number;
  action: number;
}

/** The id of a quiz that was started. */
export interface QuizBegun {
  quiz: string;
}

/** A question: nothing in it gives the answer away. */
export interface QuizQuestion {
  number: number;
  hand: number;
  seat: number;
  turn: number;
  reaction: boolean;
  choices: Choice[];
  position: Position;
}

/** How well questions were answered: the mean loss of the answers, and of the play in the game. */
export interface QuizScore {
  answered: number;
  right: number;
  rate: number | null;
  played_rate: number | null;
  loss?: number;
}

/** The score of a quiz, and its next question. */
export interface QuizState {
  question: QuizQuestion | null;
  questions: number;
  finished: boolean;
  score: QuizScore;
}

/** The reviewer's opinion of an answer. */
export interface QuizVerdict {
  decision: DecisionText;
  action: number;
  loss: number | null;
  as_good: boolean;
  score: QuizScore;
}

/** Whose decisions are asked about, and which. */
export interface QuizWanted {
  seat: number;
  pick?: "all" | "stakes";
}

/** The mean loss of a seat's decisions, and how many there were. */
export interface RateText {
  decisions: number;
  valued: number;
  agreed: number;
  loss: number;
  rate: number | null;
}

/** Elo points among our players, `greedy` having 1,000, with a 95 % interval. */
export interface RatingText {
  value: number;
  low: number;
  high: number;
}

/** The wins within reach after each discard, or of a hand of 13 tiles. */
export interface ReachAnswer {
  hands: WinsInReach[];
}

/** Wins in reach: the mean points of a ron, the share without a yaku, dora, and the yaku most wins have. */
export interface ReachText {
  points: number | null;
  without_yaku: number;
  dora: number;
  closed: boolean;
  yaku: YakuShare[];
}

/** A yaku or a fan of the hand. */
export interface Reason {
  number: number;
  name: string;
  native: string;
  reading: string;
  value: number;
  count: number;
  tiles: string[][];
}

/** How a hand ended; `final` is there when the game is over. */
export interface Result {
  kind: string;
  winners: Winner[];
  changes: number[];
  tenpai: boolean[];
  scores: number[];
  final: FinalResult | null;
  nagashi?: number[];
  penalised?: number | null;
}

/** The reviews of a browser, newest first. */
export interface ReviewList {
  reviews: ListedReview[];
}

/** What changes while a review is running; `rates` by seat and kind of decision. */
export interface ReviewNews {
  state: ReviewState;
  message: string;
  problem: ProblemText | null;
  ahead: number;
  total: number;
  done: number;
  mine: boolean;
  rows: RowText[];
  plans: PlanText[];
  rates: { [name: string]: { [name: string]: RateText } };
  cards: { [name: string]: CardText };
}

/** Reviews of the person's games: waiting at low priority, done, failed; `why` the queue stands still. */
export interface ReviewQueue {
  waiting: number;
  running: number;
  done: number;
  failed: number;
  why: ProblemText | null;
}

export type ReviewState = "waiting" | "thinking" | "done" | "failed" | "cancelled";

/** A review so far. */
export interface ReviewText {
  state: ReviewState;
  message: string;
  problem: ProblemText | null;
  ahead: number;
  total: number;
  done: number;
  mine: boolean;
  rows: RowText[];
  plans: PlanText[];
  rates: { [name: string]: { [name: string]: RateText } };
  cards: { [name: string]: CardText };
  id: string;
  created: number;
  name: string;
  agent: string;
  unit: Unit;
  everything: boolean;
  bad: number;
  seats: number[];
  family: string;
  format: string;
  rules: RulesName;
  names: string[];
  hands: HandHead[];
  problems: string[];
  norms: NormsText | null;
  truth: TruthText | null;
}

/** The review of a game. */
export interface Reviewed {
  id: string;
  url: string;
}

/** Who can review games of a family; `silent` are players that do not value choices. */
export interface ReviewerMenu {
  default: string;
  silent: string[];
  reviewers: ReviewerText[];
}

/** An agent that can review; `budget` is an option of its label, `everything`: it values more than discards. */
export interface ReviewerText {
  name: string;
  label: string;
  unit: Unit;
  budget: string | null;
  everything: boolean;
  idea: string;
}

/** Which games to review, and how many. */
export interface ReviewsWanted {
  which?: "latest" | "unluckiest" | "worst" | "spread";
  count?: number;
}

/** A player declared riichi. */
export interface RiichiEvent {
  type: "riichi";
  seat: number;
}

/** A riichi hand that has won, and how. */
export interface RiichiWin {
  /** concealed tiles; melds may follow */
  tiles: string;
  melds?: string[];
  family: "riichi";
  winning_tile?: string | null;
  rules?: Preset;
  seat_wind?: "E" | "S" | "W" | "N";
  round_wind?: "E" | "S" | "W" | "N";
  tsumo?: boolean;
  riichi?: boolean;
  double_riichi?: boolean;
  ippatsu?: boolean;
  rinshan?: boolean;
  chankan?: boolean;
  last_tile?: boolean;
  first_turn?: boolean;
  dora_indicators?: string;
  ura_indicators?: string;
  honba?: number;
  sticks?: number;
}

/** A discard. */
export interface RiverTile {
  tile: TileText;
  tsumogiri: boolean;
  riichi: boolean;
  called: boolean;
}

/** A decision in short; a null loss is not known. `gap`: experts make the reviewer's choice that much more often. */
export interface RowText {
  number: number;
  hand: number;
  seat: number;
  turn: number;
  kind: DecisionKind;
  reaction: boolean;
  tag: string;
  loss: number | null;
  agreed: boolean;
  played: string;
  best: string;
  gap: number | null;
  stake: number | null;
}

/** The rules of a game in short; `formats` are those of its records, `reviewable` games can be reviewed. */
export interface RulesName {
  id: string;
  family: string;
  name: string;
  rounds: number;
  formats?: string[];
  reviewable?: boolean;
}

/** A rule set, with its flags; `default` marks the usual one of its family. */
export interface RulesText {
  id: string;
  family: string;
  name: string;
  rounds: number;
  formats: string[];
  reviewable: boolean;
  players: number;
  flags: { [name: string]: unknown };
  default: boolean;
}

/** A training run and its curve: decisions, seconds, points a hand, share of hands won. */
export interface Run {
  name: string;
  variant: string;
  seed: string;
  points: [number, number, number, number][];
  final: Figure | null;
}

export type Said = LiveState | Accepted | Hint | Waiting | SocketError | Pong;

/** A player's place at the table; `hand` is null and `drawn` "?" where they are hidden. */
export interface Seat {
  name: string;
  agent: string | null;
  wind: string;
  score: number;
  rank: number;
  hand: TileText[] | null;
  count: number;
  drawn: TileText | null;
  melds: Meld[];
  river: RiverTile[];
  riichi: boolean;
  flowers?: number[];
}

/** The scores at a decision: whom the player can overtake, and who can overtake the player. */
export interface SituationText {
  rank: number;
  hands_left: number;
  ahead: OvertakeText[];
  behind: OvertakeText[];
}

/** What one place, or point, of predicted loss went with, and its 95 % interval. */
export interface SlopeText {
  value: number;
  low: number;
  high: number;
}

/** A message could not be carried out. */
export interface SocketError {
  type: "error";
  code: ErrorCode;
  values: { [name: string]: number | string | ProblemText };
  message: string;
}

/** A player's measured strength. */
export interface Standing {
  rating: Figure;
  ahead: number;
  level: number;
  games: number;
}

/** The state of a review. */
export interface StateText {
  state: ReviewState;
}

/** Whether Janshi is ready: families that can be played, and what is being loaded. */
export interface StatusText {
  version: string;
  ready: string[];
  doing: string;
  finished: boolean;
  games: number;
}

/** A game of a stored match: who sat where, and the scores. */
export interface StoredGame {
  game: number;
  seats: string[];
  scores: number[];
}

/** A stored match: who played, and how many games are planned. */
export interface StoredMatch {
  name: string;
  rules: string;
  players: string[];
  games: number;
}

/** A stored match with the games that were played. */
export interface StoredMatchGames {
  name: string;
  rules: string;
  players: string[];
  games: StoredGame[];
}

/** Strength by the budget of a decision. */
export interface Thinking {
  id: string;
  rules: string;
  agent: string;
  against: string;
  page: string;
  date: string;
  points: ThinkingPoint[];
}

/** Average rank with this budget: hands searched per decision. */
export interface ThinkingPoint {
  hands: number;
  games: number;
  rank: Figure;
}

/** An agent's opinion of a decision; best choice first, losses in `unit`, which is null if there are none. */
export interface Thought {
  agent: string;
  best: number;
  choices: WeighedChoice[];
  tenpai: number[];
  line: string;
  steps: PhraseText[];
  danger: { [name: string]: number } | null;
  unit: string | null;
  alike: boolean;
}

export type TileText = string;

/** A clock: `base` seconds for every decision, then those of a reserve that is full at the start of each hand. */
export interface TimeControl {
  base: number;
  extra?: number;
}

/** How true a reviewer's losses are, in games or hands that it had not seen: by the end of the hand, and soon. */
export interface TruthText {
  games: number | null;
  hands: number | null;
  end: SlopeText;
  soon: SlopeText | null;
}

/** The game went back. */
export interface UndoEvent {
  type: "undo";
}

export type Unit = "rank" | "points" | "hand_points" | "probability";

/** A useful tile, and how many of it are left. */
export interface Useful {
  tile: string;
  left: number;
}

/** What an answer was worth and why, and when the problem comes again (ISO date; null if it is learned). */
export interface VerdictText {
  right: boolean;
  loss: number | null;
  decision: DecisionText;
  family: string;
  unit: Unit;
  agent: string;
  everything: boolean;
  truth: TruthText | null;
  why: WhyText;
  box: number;
  due: string | null;
}

/** The game cannot be shown yet. */
export interface Waiting {
  type: "waiting";
  code: ErrorCode;
  values: { [name: string]: number | string | ProblemText };
  message: string;
}

/** A game of a stored match to watch. */
export interface Watch {
  match: string;
  game?: number;
}

/** All positions of a recorded hand. */
export interface WatchedHand {
  hand: number;
  moments: MomentText[];
}

/** Settings of a watched game: seconds per move, paused, all hands open. */
export interface Watching {
  pace: number;
  paused: boolean;
  open: boolean;
}

/** An agent's opinion of a choice: its loss in places or points, how often experts make it, and its numbers. */
export interface WeighedChoice {
  action: number;
  kind: ChoiceKind;
  tile: TileText | null;
  tiles: TileText[];
  kan?: MeldKind;
  drawn?: boolean;
  name: string;
  plan: string;
  then: PhraseText[];
  loss: number | null;
  experts: number | null;
  numbers: { [name: string]: number | null };
}

/** The facts behind a decision, by action. */
export interface WhyText {
  choices: { [name: string]: FactsText };
  situation: SituationText | null;
}

/** A player won. */
export interface WinEvent {
  type: "win";
  seat: number;
  loser: number | null;
  tile: TileText;
  points: number;
}

/** A win: the hand without the winning tile, that tile, and its value by the rules of the game. */
export interface Winner {
  seat: number;
  loser: number | null;
  hand: TileText[];
  melds: Meld[];
  tile: TileText;
  points: number;
  total?: number;
  yaku?: YakuLine[];
  han?: number;
  fu?: number;
  yakuman?: number;
  limit?: string;
  honba?: number;
  sticks?: number;
  fu_parts?: FuPart[];
  payments?: Paid[];
  dora?: TileText[];
  ura?: TileText[];
  fan?: FanLine[];
}

/** The wins within reach of a waiting hand: `reach` in riichi, `fan` in Guobiao; null if they are too far away. */
export interface WinsInReach {
  tile: string | null;
  reach?: ReachText | null;
  fan?: FanReachText | null;
}

/** What a hand is worth and why. */
export interface Worth {
  family: "riichi" | "guobiao";
  hand: string[];
  melds: MeldShown[];
  winning_tile: string;
  tsumo: boolean;
  wins: boolean;
  unit: "han" | "yakuman" | "fan";
  reasons: Reason[];
  han: number;
  fu: number;
  fu_parts: Part[];
  yakuman: number;
  limit: string;
  fan: number;
  total_fan: number;
  needed: number;
  payments: Payment[];
  total: number;
  text: string;
}

/** A yaku of a win, or dora, with its han (of a yakuman: how many yakuman). */
export interface YakuLine {
  name: string;
  romaji: string;
  kanji: string;
  han: number;
}

/** A yaku, and the share of possible wins that have it. */
export interface YakuShare {
  name: string;
  romaji: string;
  kanji: string;
  share: number;
}

/** What each route takes and answers. */
export interface Routes {
  "GET /api/status": {
    params: {};
    body: null;
    answer: StatusText;
  };
  "GET /api/rules": {
    params: {};
    body: null;
    answer: RulesText[];
  };
  "GET /api/agents": {
    params: {
      rules?: string;
    };
    body: null;
    answer: AgentText[];
  };
  "POST /api/live": {
    params: {};
    body: NewGame;
    answer: Begun;
  };
  "GET /api/live": {
    params: {};
    body: null;
    answer: KeptGame[];
  };
  "GET /api/live/{id}": {
    params: {
      /** A game's id. */
      id: string;
      /** The secret of a seat. */
      key?: string | null;
    };
    body: null;
    answer: LiveState;
  };
  "DELETE /api/live/{id}": {
    params: {
      /** A game's id. */
      id: string;
    };
    body: null;
    answer: null;
  };
  "GET /api/live/{id}/record": {
    params: {
      /** A game's id. */
      id: string;
      /** One of the rules' `formats`. */
      format?: string | null;
      /** The secret of a seat. */
      key?: string | null;
    };
    body: null;
    answer: null;
  };
  "GET /api/matches": {
    params: {};
    body: null;
    answer: StoredMatch[];
  };
  "GET /api/matches/{name}": {
    params: {
      name: string;
    };
    body: null;
    answer: StoredMatchGames;
  };
  "POST /api/watch": {
    params: {};
    body: Watch;
    answer: Begun;
  };
  "GET /api/families": {
    params: {};
    body: null;
    answer: AllTraits;
  };
  "GET /api/reviews/agents": {
    params: {};
    body: null;
    answer: { [name: string]: ReviewerMenu };
  };
  "GET /api/reviews": {
    params: {};
    body: null;
    answer: ReviewList;
  };
  "POST /api/reviews": {
    params: {};
    body: Body_upload_api_reviews_post;
    answer: Made;
  };
  "DELETE /api/reviews": {
    params: {
      /** How many of the newest reviews to keep. */
      keep?: number;
    };
    body: null;
    answer: Cleared;
  };
  "POST /api/reviews/{id}/again": {
    params: {
      id: string;
    };
    body: Again;
    answer: Made;
  };
  "GET /api/reviews/{id}": {
    params: {
      id: string;
      since?: number;
      /** Only what changes while the review is running. */
      short?: boolean;
    };
    body: null;
    answer: ReviewText | ReviewNews;
  };
  "DELETE /api/reviews/{id}": {
    params: {
      id: string;
    };
    body: null;
    answer: Deleted;
  };
  "GET /api/reviews/{id}/decisions/{number}": {
    params: {
      id: string;
      number: number;
    };
    body: null;
    answer: DecisionText;
  };
  "GET /api/reviews/{id}/decisions/{number}/why": {
    params: {
      id: string;
      number: number;
      action?: number | null;
    };
    body: null;
    answer: WhyText;
  };
  "GET /api/reviews/{id}/decisions": {
    params: {
      id: string;
      first?: number;
      count?: number;
    };
    body: null;
    answer: DecisionList;
  };
  "GET /api/reviews/{id}/luck": {
    params: {
      id: string;
    };
    body: null;
    answer: LuckText;
  };
  "GET /api/reviews/{id}/export": {
    params: {
      id: string;
    };
    body: null;
    answer: string;
  };
  "POST /api/reviews/{id}/cancel": {
    params: {
      id: string;
    };
    body: null;
    answer: StateText;
  };
  "POST /api/reviews/{id}/resume": {
    params: {
      id: string;
    };
    body: null;
    answer: StateText;
  };
  "POST /api/reviews/{id}/quiz": {
    params: {
      id: string;
    };
    body: QuizWanted;
    answer: QuizBegun;
  };
  "GET /api/reviews/{id}/quiz/{attempt}": {
    params: {
      id: string;
      attempt: string;
    };
    body: null;
    answer: QuizState;
  };
  "POST /api/reviews/{id}/quiz/{attempt}": {
    params: {
      id: string;
      attempt: string;
    };
    body: QuizAnswer;
    answer: QuizVerdict;
  };
  "GET /api/reviews/{id}/hands/{hand}": {
    params: {
      id: string;
      hand: number;
    };
    body: null;
    answer: WatchedHand;
  };
  "GET /api/reviews/{id}/decisions/{number}/chances": {
    params: {
      id: string;
      number: number;
    };
    body: null;
    answer: ChancesText;
  };
  "POST /api/reviews/{id}/play": {
    params: {
      id: string;
    };
    body: PlayOn;
    answer: Begun;
  };
  "GET /api/career": {
    params: {
      rounds?: "all" | "east" | "south";
      /** Only the latest games; 0: all. */
      last?: number;
    };
    body: null;
    answer: CareerText;
  };
  "DELETE /api/career": {
    params: {};
    body: null;
    answer: CareerDeleted;
  };
  "GET /api/career/state": {
    params: {};
    body: null;
    answer: CareerState;
  };
  "POST /api/career/files": {
    params: {};
    body: Body_upload_api_career_files_post;
    answer: CareerState;
  };
  "DELETE /api/career/files": {
    params: {};
    body: null;
    answer: CareerState;
  };
  "GET /api/career/problems": {
    params: {};
    body: null;
    answer: FileProblems;
  };
  "GET /api/career/players": {
    params: {
      search?: string;
    };
    body: null;
    answer: PlayersFound;
  };
  "PUT /api/career/names": {
    params: {};
    body: Names;
    answer: CareerState;
  };
  "GET /api/career/games": {
    params: {
      rounds?: "all" | "east" | "south";
      /** Only the latest games; 0: all. */
      last?: number;
      first?: number;
      count?: number;
      sort?: "played" | "luck" | "rank" | "points";
      descending?: boolean;
    };
    body: null;
    answer: CareerGames;
  };
  "GET /api/career/games/{id}/record": {
    params: {
      id: number;
    };
    body: null;
    answer: string;
  };
  "POST /api/career/games/{id}/review": {
    params: {
      id: number;
    };
    body: null;
    answer: Reviewed;
  };
  "POST /api/career/games/{id}/watch": {
    params: {
      id: number;
    };
    body: null;
    answer: Reviewed;
  };
  "POST /api/career/reviews": {
    params: {};
    body: ReviewsWanted;
    answer: Queued;
  };
  "DELETE /api/career/reviews": {
    params: {};
    body: null;
    answer: CareerState;
  };
  "GET /api/career/export": {
    params: {};
    body: null;
    answer: string;
  };
  "GET /api/practice": {
    params: {};
    body: null;
    answer: PracticeOverview;
  };
  "DELETE /api/practice": {
    params: {};
    body: null;
    answer: Done;
  };
  "GET /api/practice/next": {
    params: {
      source?: "daily" | "due" | "own" | "expert";
    };
    body: null;
    answer: NextProblem;
  };
  "POST /api/practice/answers": {
    params: {};
    body: Answer;
    answer: VerdictText;
  };
  "GET /api/practice/drills/{kind}": {
    params: {
      kind: "efficiency" | "defence";
      number: number;
    };
    body: null;
    answer: DrillQuestion;
  };
  "POST /api/practice/drills/{kind}": {
    params: {
      kind: "efficiency" | "defence";
    };
    body: DrillAnswer;
    answer: DrillVerdict;
  };
  "POST /api/practice/drills/{kind}/results": {
    params: {
      kind: "efficiency" | "defence";
    };
    body: DrillEnd;
    answer: Done;
  };
  "POST /api/tools/score": {
    params: {};
    body: RiichiWin | GuobiaoWin;
    answer: Worth;
  };
  "POST /api/tools/efficiency": {
    params: {};
    body: EfficiencyQuestion;
    answer: Efficiency;
  };
  "POST /api/tools/outlook": {
    params: {};
    body: Question;
    answer: Outlook;
  };
  "POST /api/tools/reach": {
    params: {};
    body: EfficiencyQuestion;
    answer: ReachAnswer;
  };
  "GET /api/players": {
    params: {};
    body: null;
    answer: Player[];
  };
  "GET /api/players/curves": {
    params: {};
    body: null;
    answer: Curves;
  };
  "GET /api/players/matches": {
    params: {};
    body: null;
    answer: MatchHead[];
  };
  "GET /api/players/matches/{match}": {
    params: {
      /** id of a match */
      match: string;
    };
    body: null;
    answer: Match;
  };
}
