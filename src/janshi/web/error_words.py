"""The English message of every error code.

Other languages are in the page's `static/js/words/errors/`, by the same codes with the same values.
Hands and tiles that cannot be read have their own codes and messages (`core/coded_error.py`); `HAND_CODES` lists them.
"""

from __future__ import annotations

from typing import Final

ENGLISH: Final[dict[str, str]] = {
    # the app
    "not_found": "there is nothing at {path}",
    "method_not_allowed": "{method} is not possible at {path}",
    "http_error": "this request failed: {problem}",
    "request_invalid": "this request is not valid: {problem}",
    "internal_error": "something went wrong inside Janshi; see its log",
    "host_unknown": "this address is not known here; open the app at the address it printed",
    "origin_refused": "requests from another site are not allowed",
    "token_needed": "a token is needed: open the address that Janshi printed",
    "body_too_long": "this is too long: at most {limit} KiB can be sent here",
    "getting_ready": "Janshi is getting ready ({doing}, {seconds} s); the first start takes about a minute",
    "loading_rules": "the rules of {family}",
    "loading_agent": "the agent {agent}",
    "untranslated": "{problem}",
    # games
    "game_not_found": "there is no such game",
    "game_not_yours": "you have no such game",
    "game_outdated": "this game was started with other rules or players than this version has",
    "too_many_games": "too many games are open; try again in a minute",
    "quota_games": "this browser has {most} games here, as many as it may keep: delete some first",
    "key_wrong": "this key does not belong to the game",
    "wrong_seat_count": "{rules} has {seats} seats, but {given} were given",
    "seed_needs_one_player": "you can choose a seed only if you play alone",
    "rules_unknown": "no rules are called {name}; there are {names}",
    "download_not_allowed": "only its players can download a game that is not over",
    "format_unknown": "records of {family} games can be {formats}, not {given}",
    "no_hand_over": "no hand is over yet",
    "game_not_over": "the game is not over yet",
    "continue_rules_unknown": "this game cannot be played on: no rule set here is like its rules ({rules})",
    # agents
    "agent_cannot_play": "this agent cannot play here: {problem}",
    "agent_cannot_hint": "this agent cannot give a hint: {problem}",
    "agent_unknown": "no agent for {family} is called {label}; there are {names}",
    "agent_file_refused": "agents that load files cannot be chosen here",
    "agent_option_too_large": "agent {label}: {option} can be {most} at most",
    "agent_remembers": "agent {label} remembers earlier games, so it cannot resume one after a restart",
    "agent_does_not_explain": "agent {label} does not explain its choices",
    "agent_failed": "agent {label} could not evaluate this position",
    # messages of a game's socket
    "too_many_viewers": "this game has too many viewers",
    "players_only": "only a player at the table can do this",
    "host_only": "only the viewer who started this table can do this",
    "pace_invalid": "seconds must be a number from 0 to {most}",
    "open_invalid": "open must be true or false",
    "hands_closed": "hands are open only when agents play, or when the game is over",
    "agent_invalid": "agent must be the name of an agent",
    "hint_running": "a hint is already on its way",
    "message_not_json": "this is not JSON",
    "message_without_type": 'a message is an object with a "type"',
    "message_unknown": "no message is called {name}; there are {names}",
    "message_refused": "this cannot be done: {problem}",
    "message_failed": "this could not be carried out; see Janshi's log",
    "integer_expected": "{name} must be a whole number",
    "auto_invalid": "auto-options are {names}, each true or false",
    "question_closed": "this question is not open any more",
    "action_illegal": "action {action} is not possible now; possible are {legal}",
    "hand_not_over": "the hand is not over",
    "nothing_to_decide": "there is nothing to decide now",
    "hints_need_agents": "hints are for games against agents only",
    "nothing_to_undo": "there is nothing to take back",
    "undo_needs_practice": "moves can be taken back only in practice games",
    # stored matches
    "match_unreadable": "the match cannot be read: {problem}",
    "match_not_found": "there is no such match",
    "match_game_not_found": "the match has games 0 to {last}, not {given}",
    "match_game_unreadable": "this game cannot be shown: {problem}",
    # reviews
    "review_not_found": "there is no such review; it may have been deleted",
    "review_not_yours": "only the browser that uploaded a review can change it",
    "too_many_reviews": "there is no room for more reviews: delete some first",
    "quota_reviews": "this browser has {most} reviews here, as many as it may keep: clear old ones first",
    "quota_bytes": "this browser's reviews take up all of their {most} MiB: clear old ones first",
    # careers
    "quota_career_games": "this career has {most} games, as many as it may keep: export and delete some first",
    "quota_career_bytes": "the records of this career take up all of their {most} MiB",
    "career_game_not_found": "there is no such game of yours in this career",
    "career_name_unknown": "no imported game has a player called {name}",
    "decision_not_found": "this decision has not been reviewed yet, or is not in the game",
    "seat_not_reviewed": "this seat was not reviewed",
    "quiz_not_found": "there is no such quiz",
    "quiz_other_question": "this is not the current question",
    "quiz_no_such_choice": "this is not one of the choices",
    "too_many_uploads": "too many uploads are being read; try again in a moment",
    "too_many_waiting": "too many reviews are waiting; try again later",
    "game_not_reviewed": "this game cannot be reviewed: {problem}",
    "reviewer_has_no_values": "{agent} plays by search and cannot say what each choice is worth; {others} can",
    "reviewer_unknown": "no reviewer of {family} games is called {label}; {others} can review them",
    "reviewer_option_unknown": "the reviewer {agent} has no option {option} here",
    "reviewer_budget_invalid": "{option} of a reviewer must be from {least} to {most}, not {given}",
    # uploads
    "upload_not_text": "this is not text: expected UTF-8, found something else at byte {place}. {known}",
    "formats_known": "Known formats are mjlog, tenhou.net/6 JSON, mjai lines, Mahjong Soul, majiang JSON and Botzone's "
    "text and match logs",
    "upload_empty": "the file is empty: expected a recorded game",
    "upload_has_zero_bytes": "this is not text: it contains zero bytes",
    "gzip_unreadable": "the gzip file cannot be unpacked ({problem})",
    "gzip_cut_short": "the gzip file stops in the middle: it is not complete",
    "upload_too_large": "too large: a recorded game can have {limit} KiB, unpacked",
    "upload_too_deep": "JSON nested more than {most} levels deep: records never are",
    "json_not_a_record": "this JSON is not a record of a game. {known}",
    "text_not_a_record": "this is not a record of a game: it begins with {start}. {known}",
    # workers
    "worker_too_slow": "this took too long: more than {seconds} s",
    "worker_silent": "this took too long: no answer for {seconds} s",
    "worker_out_of_time": "this took too long to compute",
    "worker_killed": "the worker was killed, perhaps because memory ran out",
    "worker_crashed": "the worker ended without an answer (code {code}); the record may be damaged",
    "worker_gave_no_answer": "the worker gave no answer",
    "worker_stopped_early": "the worker stopped early",
    "record_needs_memory": "reading it takes too much memory",
    "record_too_deep": "it is nested too deeply to be a record",
    "record_damaged": "it is damaged ({problem})",
    # luck
    "luck_riichi_only": "luck is measured in riichi games only",
    "luck_failed": "luck cannot be measured here: {problem}",
    "luck_not_installed": "this installation cannot measure luck",
    "luck_not_measured": "luck was not measured before this file was made",
    "luck_not_scored": "the game could not be scored",
    # practice
    "problem_not_found": "this problem does not exist any more",
    "problems_unreadable": "{file} cannot be read: expected problems written by scripts/make_problems.py",
    "drill_impossible": "a drill cannot have more right answers than answers",
    # hands
    "hand_refused": "this hand cannot be read: {problem}",
}

HAND_CODES: Final = (
    *("tiles_unreadable", "digits_expected", "suit_expected", "tile_expected", "honours_end", "suit_missing"),
    *("tile_not_one", "too_many_red", "too_many_alike"),
    *("meld_form_unknown", "added_kan_form", "meld_unreadable", "meld_wrong_size", "not_a_chi", "meld_mixed"),
    *("too_many_melds", "hand_wrong_size", "hand_impossible", "seen_impossible", "red_five_in_guobiao"),
    *("winning_tile_missing", "winning_tile_not_held", "no_yaku", "hand_not_complete", "guobiao_not_complete"),
    *("ippatsu_needs_riichi", "rinshan_needs_tsumo", "chankan_needs_ron", "rinshan_not_last_tile"),
    *("chankan_not_last_tile", "kan_ends_ippatsu", "first_turn_needs_tsumo", "first_turn_comes_first"),
    *("riichi_needs_closed_hand", "ura_needs_riichi", "rinshan_needs_kan", "first_turn_without_melds"),
    *("chankan_tile_alone", "after_kong_needs_self_draw", "robbing_not_self_drawn", "after_kong_needs_kong"),
    *("last_of_kind_alone", "robbing_tile_alone"),
)
"""Codes of errors raised by `core` and `rules`."""

CODES: Final = (*ENGLISH, *HAND_CODES)
