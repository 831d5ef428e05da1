/**
 * Why the server does not do something, and why a hand cannot be: `refused.<pattern>`, with the same `{values}` as the
 * pattern. The server says it in English; a pattern that a language lacks is shown so.
 */
export default {
  en: {},
  ja: {
    "refused.there is nothing at {path}": "{path}には何もありません。",
    "refused.this request is not as expected: {problem}": "送信された内容に誤りがあります：{problem}",
    "refused.something went wrong inside Janshi; its log tells what":
      "Janshiの内部でエラーが起きました。詳しくはログをご覧ください。",
    "refused.this address is not known here; open the app by the address it printed":
      "このアドレスでは開けません。起動時に表示されたアドレスで開いてください。",
    "refused.this comes from another site, which may not use the app": "他のサイトからは使えません。",
    "refused.a token is needed: open the address that Janshi printed":
      "トークンが必要です。Janshiが表示したアドレスで開いてください。",
    "refused.this is too long: {limit} KiB may be sent here": "送信できるのは{limit} KiBまでです。",
    "refused.this cannot be done: {problem}": "実行できません：{problem}",
    "refused.this could not be carried out; Janshi's log tells why":
      "実行できませんでした。詳しくはJanshiのログをご覧ください。",
    "refused.riichi": "リーチ麻雀",
    "refused.guobiao": "国標麻雀",
    "refused.simplified": "簡略麻雀",
    "refused.Janshi is getting ready ({doing}, {seconds} s); the first start takes a few minutes":
      "Janshiを準備しています（{doing}、{seconds}秒経過）。初回の起動には数分かかります。",
    "refused.the rules of {family}": "{family}のルール",
    "refused.the agent {agent}": "{agent}の読み込み",
    "refused.there is no such game": "この対局はありません。",
    "refused.there is no such game of yours": "あなたの対局の中に見つかりません。",
    "refused.this game was begun with other rules or players than this version has":
      "この対局のルールまたはAIは、このバージョンにはありません。",
    "refused.too many games are open; try again in a minute":
      "開いている対局が多すぎます。1分ほどしてからもう一度お試しください。",
    "refused.this key does not belong to the game": "この対局の鍵ではありません。",
    "refused.{rules} has {seats} seats, but {given} were given":
      "{rules}は{seats}人打ちですが、{given}人が指定されました。",
    "refused.a seed can be chosen only by somebody who plays alone":
      "シードを指定できるのは、一人で打つときだけです。",
    "refused.no rules are called {name}; there are {names}": "{name}というルールはありません。使えるルール：{names}",
    "refused.this agent cannot play here: {problem}": "このAIとは対局できません：{problem}",
    "refused.this agent cannot be asked: {problem}": "このAIには聞けません：{problem}",
    "refused.no agent for {family} is called {label}; there are {names}":
      "{family}に{label}というAIはありません。選べるAI：{names}",
    "refused.agents with files of their own cannot be asked for here": "ファイルを使うAIはここでは選べません。",
    "refused.agent {label}: {option} may be {most} at most": "{label}：{option}は{most}以下にしてください。",
    "refused.agent {label} remembers games, which are played again here after a restart":
      "{label}は対局を記憶するため、再起動後に打ち直すここでは使えません。",
    "refused.agent {label} does not explain what it does": "{label}は打牌の説明ができません。",
    "refused.agent {label} could not think about this": "{label}はこの局面を考えられませんでした。",
    "refused.only its players may download a game that is not over":
      "終わっていない対局をダウンロードできるのは対局者だけです。",
    "refused.records of {family} games can be {formats}, not {given}":
      "{family}の牌譜の形式は{formats}です（{given}は使えません）。",
    "refused.no hand is over yet": "まだ終わった局がありません。",
    "refused.the game is not over yet": "対局はまだ終わっていません。",
    "refused.too many look at this game already": "この対局を見ている人が多すぎます。",
    "refused.only a player at the table may do this": "対局者だけができる操作です。",
    "refused.only who began to watch this game may do this": "観戦を始めた人だけができる操作です。",
    "refused.seconds must be a number from 0 to {most}": "秒数は0から{most}までの数にしてください。",
    "refused.open must be true or false": "openはtrueかfalseにしてください。",
    "refused.hands are open only when agents play, or when the game is over":
      "手牌を公開できるのは、AI同士の対局か、対局が終わったときだけです。",
    "refused.agent must be the name of an agent": "AIの名前を指定してください。",
    "refused.a hint is being thought about already": "ヒントを考えているところです。",
    "refused.this is no JSON": "JSONではありません。",
    'refused.a message is an object with a "type"': 'メッセージには"type"が必要です。',
    "refused.no message is called {name}; there are {names}":
      "{name}というメッセージはありません。使えるもの：{names}",
    "refused.{name} must be a whole number": "{name}は整数にしてください。",
    "refused.auto-options are {names}, each true or false": "自動設定は{names}で、それぞれtrueかfalseです。",
    "refused.this question is not open any more": "もう選べません。",
    "refused.action {action} is not possible now; possible are {legal}":
      "その選択（{action}）は今はできません。できるもの：{legal}",
    "refused.the hand is not over": "局が終わっていません。",
    "refused.there is nothing to decide now": "今は選ぶものがありません。",
    "refused.hints are for games against agents only": "ヒントはAIとの対局でのみ使えます。",
    "refused.there is nothing to take back": "取り消せる打牌がありません。",
    "refused.only in practice is there a way back": "待ったは練習でのみ使えます。",
    "refused.the match cannot be read: {problem}": "この対戦を読み込めません：{problem}",
    "refused.there is no such match; the list of matches names those that are there":
      "この対戦はありません。一覧から選んでください。",
    "refused.there is no such match": "この対戦はありません。",
    "refused.the match has games 0 to {last}, not {given}": "この対戦の対局は0から{last}までで、{given}はありません。",
    "refused.this game cannot be shown: {problem}": "この対局を表示できません：{problem}",
    "refused.there is no such review; it may have been deleted": "この検討はありません。削除された可能性があります。",
    "refused.only the browser that uploaded a review may change it":
      "検討を変更できるのは、牌譜をアップロードしたブラウザだけです。",
    "refused.there is no room for more reviews: delete some first": "検討がいっぱいです。いくつか削除してください。",
    "refused.this decision has not been thought about yet, or is not in the game":
      "この場面はまだ検討されていないか、牌譜にありません。",
    "refused.this seat was not reviewed": "この席は検討されていません。",
    "refused.there is no such quiz": "この問題はありません。",
    "refused.this is not the question that is asked now": "今出題されている問題ではありません。",
    "refused.this is none of the choices of the question": "この問題の選択肢ではありません。",
    "refused.too many uploads are being read; try again in a moment":
      "読み込み中の牌譜が多すぎます。少し待ってからもう一度お試しください。",
    "refused.too many reviews wait already; try again later":
      "順番待ちの検討が多すぎます。後でもう一度お試しください。",
    "refused.this game cannot be reviewed: {problem}": "この牌譜は検討できません：{problem}",
    "refused.{agent} plays by search and cannot say what each choice is worth; {others} can":
      "{agent}は探索で打つため、選択ごとの評価ができません。検討できるAI：{others}",
    "refused.no reviewer of {family} games is called {label}; {others} can review them":
      "{family}を検討できる{label}というAIはありません。検討できるAI：{others}",
    "refused.{agent} takes no time to think: write just its name":
      "{agent}に考慮時間は指定できません。名前だけを書いてください。",
    "refused.time to think must be from {least} to {most} s, not {given}":
      "考慮時間は{least}秒から{most}秒までです（指定：{given}）。",
    "refused.this is not text: expected UTF-8, found something else at byte {place}. {known}":
      "UTF-8のテキストではありません（{place}バイト目）。{known}",
    "refused.Known are mjlog, tenhou.net/6 JSON, mjai lines and Botzone's text and match logs":
      "対応する形式は、mjlog、tenhou.net/6のJSON、mjai、Botzoneのテキストと対戦ログです。",
    "refused.there is nothing in it: expected a recorded game": "中身が空です。牌譜を選んでください。",
    "refused.this is not text: it holds zero bytes": "テキストではありません（ゼロバイトがあります）。",
    "refused.gzip that cannot be unpacked ({problem})": "gzipを展開できません（{problem}）。",
    "refused.gzip that stops in the middle: the file is not whole": "gzipが途中で切れています。ファイルが不完全です。",
    "refused.too large: a recorded game may have {limit} KiB, unpacked":
      "大きすぎます。牌譜は展開後{limit} KiBまでです。",
    "refused.JSON nested more than {most} deep: no record is":
      "JSONの入れ子が{most}段を超えています。牌譜ではありません。",
    "refused.this JSON is no record of a game. {known}": "このJSONは牌譜ではありません。{known}",
    "refused.this is no record of a game: it begins with {start}. {known}":
      "牌譜ではありません（先頭：{start}）。{known}",
    "refused.this took too long: more than {seconds} s": "時間がかかりすぎました（{seconds}秒以上）。",
    "refused.this took too long: nothing for {seconds} s": "時間がかかりすぎました（{seconds}秒間応答なし）。",
    "refused.this took too long to work out": "計算に時間がかかりすぎました。",
    "refused.the worker was ended, perhaps because memory ran out":
      "処理が中断されました。メモリ不足の可能性があります。",
    "refused.the worker ended without an answer (code {code}); the record may be damaged":
      "処理が異常終了しました（コード{code}）。牌譜が壊れている可能性があります。",
    "refused.the worker gave no answer": "処理から応答がありませんでした。",
    "refused.the worker stopped early": "処理が途中で終わりました。",
    "refused.reading it takes too much memory": "読み込みに必要なメモリが多すぎます。",
    "refused.it is nested too deep to be a record": "入れ子が深すぎて、牌譜ではありません。",
    "refused.it is damaged ({problem})": "壊れています（{problem}）。",
    "refused.luck is measured in riichi games only": "運を計算できるのはリーチ麻雀だけです。",
    "refused.luck cannot be measured here: {problem}": "ここでは運を計算できません：{problem}",
    "refused.this installation cannot measure luck": "この環境では運を計算できません。",
    "refused.luck was not measured before this file was made": "このファイルの作成時に運は計算されていませんでした。",
    "refused.the game could not be scored": "この対局は計算できませんでした。",
    "refused.this hand cannot be read: {problem}": "この手牌は読み取れません：{problem}",
    "refused.cannot read the tiles {text} at position {place}, {letter}: {problem}":
      "{text}の{place}文字目（{letter}）を読み取れません：{problem}",
    "refused.expected digits before the suit letter": "m・p・s・zの前に数字が必要です。",
    "refused.expected a digit or one of the suit letters m, p, s, z": "数字か、m・p・s・zのどれかが必要です。",
    "refused.expected a digit, a suit letter or a Unicode tile": "数字、m・p・s・z、またはUnicodeの牌が必要です。",
    "refused.honours are 1z to 7z": "字牌は1zから7zまでです。",
    "refused.the tiles {text} end after {digit} at position {place}: expected m, p, s or z":
      "{text}は{place}文字目の{digit}で終わっています。後ろにm・p・s・zのどれかが必要です。",
    "refused.{text} is {count} tiles: expected one": "{text}は{count}枚です。1枚だけにしてください。",
    "refused.cannot read the meld {text}: expected a form such as (345m), [1111m] or chi 345m":
      "副露{text}を読み取れません。(345m)、[1111m]、chi 345mのように書いてください。",
    "refused.cannot read the meld {text}: an added kan is written like (555+0p)":
      "副露{text}を読み取れません。加槓は(555+0p)のように書いてください。",
    "refused.cannot read the meld {text}: {problem}": "副露{text}を読み取れません：{problem}",
    "refused.a {kind} has {wanted} tiles, {tiles} has {count}": "{kind}は{wanted}枚ですが、{tiles}は{count}枚です。",
    "refused.{tiles} is no chi: expected three in a row of one suit":
      "{tiles}はチーになりません。同じ種類の連続する3枚が必要です。",
    "refused.{tiles} is no {kind}: expected one kind of tile":
      "{tiles}は{kind}になりません。同じ牌だけにしてください。",
    "refused.chi": "チー",
    "refused.pon": "ポン",
    "refused.open kan": "大明槓",
    "refused.concealed kan": "暗槓",
    "refused.added kan": "加槓",
    "refused.{melds} melds: a hand has at most {most}": "副露が{melds}組あります。{most}組までです。",
    "refused.{tiles} concealed tiles with {melds} melds: expected {fewer} or {more}":
      "副露{melds}組のときの手牌は{fewer}枚か{more}枚ですが、{tiles}枚あります。",
    "refused.an impossible hand, {hand}: {problem}": "あり得ない手牌です（{hand}）：{problem}",
    "refused.this hand and the tiles seen cannot be: {problem}": "手牌と見えている牌が合いません：{problem}",
    "refused.{count} red fives {tile}: there is only one": "赤牌{tile}が{count}枚あります。1枚しかありません。",
    "refused.{count} tiles {tile}: there are only {most} of a kind":
      "{tile}が{count}枚あります。同じ牌は{most}枚までです。",
    "refused.{hand} holds a red five: Chinese standard mahjong has none":
      "{hand}に赤牌があります。国標麻雀に赤牌はありません。",
    "refused.{hand} has {count} tiles: name the winning tile that completes it":
      "{hand}は{count}枚です。和了牌を指定してください。",
    "refused.the winning tile {tile} is not among the concealed tiles of {hand}":
      "和了牌{tile}が{hand}の手牌にありません。",
    "refused.{hand} is complete but has no yaku, so it cannot win": "{hand}は和了形ですが、役がないため和了れません。",
    "refused.{hand} is not complete: no four sets and a pair, seven pairs or thirteen orphans":
      "{hand}は和了形ではありません（四面子一雀頭、七対子、国士無双のいずれでもありません）。",
    "refused.{hand} is not complete in any of the five shapes": "{hand}は五つの和了形のどれにもなっていません。",
    "refused.ippatsu needs riichi": "一発にはリーチが必要です。",
    "refused.rinshan is a win by self-draw": "嶺上開花はツモ和了です。",
    "refused.chankan is a win by ron": "槍槓はロン和了です。",
    "refused.the tile drawn after a kan is not the last tile of the wall": "嶺上牌は最後のツモ牌ではありません。",
    "refused.the tile of a robbed kan is not the last discard": "槍槓の牌は最後の捨て牌ではありません。",
    "refused.a kan ends ippatsu": "槓をすると一発は消えます。",
    "refused.a win on the first turn (blessing) is a win by self-draw": "第一巡の和了（天和・地和）はツモ和了です。",
    "refused.nothing comes before a win on the first turn": "第一巡の和了の前に、リーチ・槓・最後の牌はありません。",
    "refused.riichi needs a closed hand": "リーチには門前が必要です。",
    "refused.ura-dora indicators are turned for a riichi only": "裏ドラ表示牌はリーチのときだけ開きます。",
    "refused.rinshan needs a kan among the melds": "嶺上開花には槓が必要です。",
    "refused.a win on the first turn has no melds": "第一巡の和了に副露はありません。",
    "refused.the tile of a robbed kan is the only one of its kind in the hand": "槍槓の牌は手牌に1枚だけのはずです。",
    "refused.the replacement tile of a kong is self-drawn": "嶺上牌（杠上開花）はツモ和了です。",
    "refused.a robbed kong is another player's: not self-drawn":
      "搶杠和は他家の槓への和了で、ツモ和了ではありません。",
    "refused.a replacement tile needs a kong among the melds": "杠上開花には槓が必要です。",
    "refused.the last tile of its kind is the only one among the concealed tiles":
      "和絶張の牌は手牌に1枚だけのはずです。",
    "refused.the tile of a robbed kong is the only one of its kind in the hand":
      "搶杠和の牌は手牌に1枚だけのはずです。",
  },
  zh: {
    "refused.there is nothing at {path}": "{path}处没有内容。",
    "refused.this request is not as expected: {problem}": "发送的内容有误：{problem}",
    "refused.something went wrong inside Janshi; its log tells what": "Janshi内部出错，详情见日志。",
    "refused.this address is not known here; open the app by the address it printed":
      "无法用此地址打开，请使用启动时显示的地址。",
    "refused.this comes from another site, which may not use the app": "不能从其他网站使用。",
    "refused.a token is needed: open the address that Janshi printed": "需要令牌，请打开Janshi显示的地址。",
    "refused.this is too long: {limit} KiB may be sent here": "内容过长，最多可发送{limit} KiB。",
    "refused.this cannot be done: {problem}": "无法执行：{problem}",
    "refused.this could not be carried out; Janshi's log tells why": "未能执行，原因见Janshi的日志。",
    "refused.riichi": "立直麻将",
    "refused.guobiao": "国标麻将",
    "refused.simplified": "简化麻将",
    "refused.Janshi is getting ready ({doing}, {seconds} s); the first start takes a few minutes":
      "Janshi正在准备（{doing}，已{seconds}秒）。首次启动需要几分钟。",
    "refused.the rules of {family}": "{family}的规则",
    "refused.the agent {agent}": "加载{agent}",
    "refused.there is no such game": "没有这个对局。",
    "refused.there is no such game of yours": "你没有这个对局。",
    "refused.this game was begun with other rules or players than this version has":
      "此版本没有该对局所用的规则或AI。",
    "refused.too many games are open; try again in a minute": "进行中的对局过多，请过一分钟再试。",
    "refused.this key does not belong to the game": "密钥与该对局不符。",
    "refused.{rules} has {seats} seats, but {given} were given": "{rules}需要{seats}人，但指定了{given}人。",
    "refused.a seed can be chosen only by somebody who plays alone": "只有一人对局时才能指定种子。",
    "refused.no rules are called {name}; there are {names}": "没有名为{name}的规则。可用的规则：{names}",
    "refused.this agent cannot play here: {problem}": "无法与此AI对局：{problem}",
    "refused.this agent cannot be asked: {problem}": "无法询问此AI：{problem}",
    "refused.no agent for {family} is called {label}; there are {names}":
      "{family}没有名为{label}的AI。可选的AI：{names}",
    "refused.agents with files of their own cannot be asked for here": "此处不能选择使用文件的AI。",
    "refused.agent {label}: {option} may be {most} at most": "{label}：{option}不能超过{most}。",
    "refused.agent {label} remembers games, which are played again here after a restart":
      "{label}会记住对局，而此处重启后要重新推演，因此不能使用。",
    "refused.agent {label} does not explain what it does": "{label}不能说明自己的选择。",
    "refused.agent {label} could not think about this": "{label}未能分析这个局面。",
    "refused.only its players may download a game that is not over": "对局未结束时，只有对局者可以下载。",
    "refused.records of {family} games can be {formats}, not {given}":
      "{family}的牌谱格式为{formats}，不能是{given}。",
    "refused.no hand is over yet": "还没有打完的一局。",
    "refused.the game is not over yet": "对局尚未结束。",
    "refused.too many look at this game already": "观看此对局的人过多。",
    "refused.only a player at the table may do this": "只有对局者可以这样做。",
    "refused.only who began to watch this game may do this": "只有发起观战的人可以这样做。",
    "refused.seconds must be a number from 0 to {most}": "秒数须为0到{most}之间的数。",
    "refused.open must be true or false": "open须为true或false。",
    "refused.hands are open only when agents play, or when the game is over":
      "只有AI之间的对局，或对局结束后，才能明牌。",
    "refused.agent must be the name of an agent": "请指定AI的名称。",
    "refused.a hint is being thought about already": "正在思考提示。",
    "refused.this is no JSON": "不是JSON。",
    'refused.a message is an object with a "type"': '消息须是带有"type"的对象。',
    "refused.no message is called {name}; there are {names}": "没有名为{name}的消息。可用的消息：{names}",
    "refused.{name} must be a whole number": "{name}须为整数。",
    "refused.auto-options are {names}, each true or false": "自动选项为{names}，各为true或false。",
    "refused.this question is not open any more": "已经不能选择了。",
    "refused.action {action} is not possible now; possible are {legal}":
      "现在不能这样选择（{action}）。可选的有：{legal}",
    "refused.the hand is not over": "本局尚未结束。",
    "refused.there is nothing to decide now": "现在没有要选择的。",
    "refused.hints are for games against agents only": "提示只能在与AI的对局中使用。",
    "refused.there is nothing to take back": "没有可以悔的牌。",
    "refused.only in practice is there a way back": "只有练习时可以悔牌。",
    "refused.the match cannot be read: {problem}": "无法读取该比赛：{problem}",
    "refused.there is no such match; the list of matches names those that are there": "没有这场比赛，请从列表中选择。",
    "refused.there is no such match": "没有这场比赛。",
    "refused.the match has games 0 to {last}, not {given}": "该比赛的对局编号为0到{last}，没有{given}。",
    "refused.this game cannot be shown: {problem}": "无法显示该对局：{problem}",
    "refused.there is no such review; it may have been deleted": "没有这份分析，可能已被删除。",
    "refused.only the browser that uploaded a review may change it": "只有上传牌谱的浏览器可以更改这份分析。",
    "refused.there is no room for more reviews: delete some first": "分析已满，请先删除一些。",
    "refused.this decision has not been thought about yet, or is not in the game": "这个选择尚未分析，或不在对局中。",
    "refused.this seat was not reviewed": "这个座位没有分析。",
    "refused.there is no such quiz": "没有这份测验。",
    "refused.this is not the question that is asked now": "这不是当前的题目。",
    "refused.this is none of the choices of the question": "这不是该题的选项。",
    "refused.too many uploads are being read; try again in a moment": "正在读取的牌谱过多，请稍后再试。",
    "refused.too many reviews wait already; try again later": "排队的分析过多，请稍后再试。",
    "refused.this game cannot be reviewed: {problem}": "这份牌谱无法分析：{problem}",
    "refused.{agent} plays by search and cannot say what each choice is worth; {others} can":
      "{agent}靠搜索打牌，不能评估每个选择。可以分析的AI：{others}",
    "refused.no reviewer of {family} games is called {label}; {others} can review them":
      "没有名为{label}的AI可以分析{family}。可以分析的AI：{others}",
    "refused.{agent} takes no time to think: write just its name": "{agent}不能指定思考时间，只写名称即可。",
    "refused.time to think must be from {least} to {most} s, not {given}":
      "思考时间须在{least}到{most}秒之间，不能是{given}。",
    "refused.this is not text: expected UTF-8, found something else at byte {place}. {known}":
      "不是UTF-8文本（第{place}字节）。{known}",
    "refused.Known are mjlog, tenhou.net/6 JSON, mjai lines and Botzone's text and match logs":
      "支持的格式：mjlog、tenhou.net/6的JSON、mjai、Botzone的文本和对局日志。",
    "refused.there is nothing in it: expected a recorded game": "内容为空，请选择牌谱。",
    "refused.this is not text: it holds zero bytes": "不是文本（含有零字节）。",
    "refused.gzip that cannot be unpacked ({problem})": "无法解压gzip（{problem}）。",
    "refused.gzip that stops in the middle: the file is not whole": "gzip中途结束，文件不完整。",
    "refused.too large: a recorded game may have {limit} KiB, unpacked": "过大，牌谱解压后最多{limit} KiB。",
    "refused.JSON nested more than {most} deep: no record is": "JSON嵌套超过{most}层，不是牌谱。",
    "refused.this JSON is no record of a game. {known}": "此JSON不是牌谱。{known}",
    "refused.this is no record of a game: it begins with {start}. {known}": "不是牌谱（开头为{start}）。{known}",
    "refused.this took too long: more than {seconds} s": "耗时过长（超过{seconds}秒）。",
    "refused.this took too long: nothing for {seconds} s": "耗时过长（{seconds}秒没有响应）。",
    "refused.this took too long to work out": "计算耗时过长。",
    "refused.the worker was ended, perhaps because memory ran out": "处理被中止，可能是内存不足。",
    "refused.the worker ended without an answer (code {code}); the record may be damaged":
      "处理异常结束（代码{code}），牌谱可能已损坏。",
    "refused.the worker gave no answer": "处理没有给出结果。",
    "refused.the worker stopped early": "处理中途结束。",
    "refused.reading it takes too much memory": "读取需要的内存过多。",
    "refused.it is nested too deep to be a record": "嵌套过深，不是牌谱。",
    "refused.it is damaged ({problem})": "已损坏（{problem}）。",
    "refused.luck is measured in riichi games only": "只有立直麻将可以计算运气。",
    "refused.luck cannot be measured here: {problem}": "此处无法计算运气：{problem}",
    "refused.this installation cannot measure luck": "此安装无法计算运气。",
    "refused.luck was not measured before this file was made": "生成此文件时尚未计算运气。",
    "refused.the game could not be scored": "此对局无法计算。",
    "refused.this hand cannot be read: {problem}": "无法读取这手牌：{problem}",
    "refused.cannot read the tiles {text} at position {place}, {letter}: {problem}":
      "无法读取{text}的第{place}个字符（{letter}）：{problem}",
    "refused.expected digits before the suit letter": "花色字母前需要数字。",
    "refused.expected a digit or one of the suit letters m, p, s, z": "应为数字，或m、p、s、z之一。",
    "refused.expected a digit, a suit letter or a Unicode tile": "应为数字、花色字母或Unicode牌。",
    "refused.honours are 1z to 7z": "字牌为1z到7z。",
    "refused.the tiles {text} end after {digit} at position {place}: expected m, p, s or z":
      "{text}在第{place}个字符{digit}处结束，后面需要m、p、s或z。",
    "refused.{text} is {count} tiles: expected one": "{text}是{count}张，应为一张。",
    "refused.cannot read the meld {text}: expected a form such as (345m), [1111m] or chi 345m":
      "无法读取副露{text}，请写成(345m)、[1111m]或chi 345m的形式。",
    "refused.cannot read the meld {text}: an added kan is written like (555+0p)":
      "无法读取副露{text}，加杠请写成(555+0p)的形式。",
    "refused.cannot read the meld {text}: {problem}": "无法读取副露{text}：{problem}",
    "refused.a {kind} has {wanted} tiles, {tiles} has {count}": "{kind}应为{wanted}张，{tiles}是{count}张。",
    "refused.{tiles} is no chi: expected three in a row of one suit": "{tiles}不成吃，应为同花色连续的三张。",
    "refused.{tiles} is no {kind}: expected one kind of tile": "{tiles}不成{kind}，应为同一种牌。",
    "refused.chi": "吃",
    "refused.pon": "碰",
    "refused.open kan": "明杠",
    "refused.concealed kan": "暗杠",
    "refused.added kan": "加杠",
    "refused.{melds} melds: a hand has at most {most}": "副露有{melds}组，最多{most}组。",
    "refused.{tiles} concealed tiles with {melds} melds: expected {fewer} or {more}":
      "有{melds}组副露时手牌应为{fewer}或{more}张，现有{tiles}张。",
    "refused.an impossible hand, {hand}: {problem}": "不可能的手牌（{hand}）：{problem}",
    "refused.this hand and the tiles seen cannot be: {problem}": "手牌与已见的牌不符：{problem}",
    "refused.{count} red fives {tile}: there is only one": "赤牌{tile}有{count}张，实际只有一张。",
    "refused.{count} tiles {tile}: there are only {most} of a kind": "{tile}有{count}张，同一种牌只有{most}张。",
    "refused.{hand} holds a red five: Chinese standard mahjong has none": "{hand}含有赤牌，国标麻将没有赤牌。",
    "refused.{hand} has {count} tiles: name the winning tile that completes it": "{hand}是{count}张，请指定和牌张。",
    "refused.the winning tile {tile} is not among the concealed tiles of {hand}": "和牌张{tile}不在{hand}的手牌中。",
    "refused.{hand} is complete but has no yaku, so it cannot win": "{hand}牌型已成，但无役，不能和牌。",
    "refused.{hand} is not complete: no four sets and a pair, seven pairs or thirteen orphans":
      "{hand}不是和牌型（不是四面子一雀头、七对子或国士无双）。",
    "refused.{hand} is not complete in any of the five shapes": "{hand}不符合五种和牌型中的任何一种。",
    "refused.ippatsu needs riichi": "一发需要立直。",
    "refused.rinshan is a win by self-draw": "岭上开花是自摸。",
    "refused.chankan is a win by ron": "抢杠是荣和。",
    "refused.the tile drawn after a kan is not the last tile of the wall": "岭上牌不是最后一张摸牌。",
    "refused.the tile of a robbed kan is not the last discard": "抢杠的牌不是最后一张弃牌。",
    "refused.a kan ends ippatsu": "开杠后一发消失。",
    "refused.a win on the first turn (blessing) is a win by self-draw": "第一巡和牌（天和、地和）是自摸。",
    "refused.nothing comes before a win on the first turn": "第一巡和牌之前不会有立直、开杠或最后一张牌。",
    "refused.riichi needs a closed hand": "立直需要门前清。",
    "refused.ura-dora indicators are turned for a riichi only": "里宝牌指示牌只在立直时翻开。",
    "refused.rinshan needs a kan among the melds": "岭上开花需要有杠。",
    "refused.a win on the first turn has no melds": "第一巡和牌没有副露。",
    "refused.the tile of a robbed kan is the only one of its kind in the hand": "抢杠的牌在手中只能有一张。",
    "refused.the replacement tile of a kong is self-drawn": "杠上开花是自摸。",
    "refused.a robbed kong is another player's: not self-drawn": "抢杠和抢的是他家的杠，不是自摸。",
    "refused.a replacement tile needs a kong among the melds": "杠上开花需要有杠。",
    "refused.the last tile of its kind is the only one among the concealed tiles": "和绝张的牌在手牌中只能有一张。",
    "refused.the tile of a robbed kong is the only one of its kind in the hand": "抢杠和的牌在手中只能有一张。",
  },
};
