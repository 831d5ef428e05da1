/**
 * What agents say. Agents say it in English; a word that a language lacks is shown as the agent gave it.
 *
 * - `agent.<name>`, `idea.<name>`: an agent in lists, and what it does;
 * - `number.<name>`, `unit.<name>`: the numbers of an explanation, and in what they are measured;
 * - `say.<pattern>`: a phrase or the name of an action, with the same `{values}` as the pattern.
 */
export default {
  en: {
    "agent.mdp": "mdp · strongest in riichi", "agent.montecarlo": "montecarlo · strong", "agent.careful": "careful · solid", "agent.one_player": "one_player · bold", "agent.greedy": "greedy · fast, no calls", "agent.random": "random", "agent.tsumogiri": "tsumogiri",
    "agent.search": "search · solid", "agent.rvr": "rvr · learned by self-play", "agent.policy": "policy", "agent.majiang": "majiang",
    "unit.rank": "of expected rank", "unit.points": "points", "unit.points (thousands)": "thousand points", "unit.probability": "of probability", "unit.learned value": "of the learned value",
    "number.rank": "expected rank", "number.lose": "deal-in", "number.other": "another wins", "number.tenpai draw": "draw, tenpai", "number.noten draw": "draw, noten", "number.cost in points": "danger in points",
    "say.play {tile}": "discard {tile}", "say.kan": "open kan",
  },
  ja: {
    "agent.mdp": "mdp・リーチ最強", "agent.montecarlo": "montecarlo・強い", "agent.careful": "careful・堅実", "agent.one_player": "one_player・強気", "agent.greedy": "greedy・最速、鳴かない", "agent.random": "random・無作為", "agent.tsumogiri": "tsumogiri・ツモ切りのみ",
    "agent.search": "search・堅実", "agent.rvr": "rvr・自己対戦で学習", "agent.policy": "policy・任意のネットワーク", "agent.majiang": "majiang",
    "idea.random": "合法手から無作為に選ぶ", "idea.tsumogiri": "ツモ切りのみ。和了も鳴きもしない", "idea.greedy": "向聴数が最小、次に受け入れ枚数が最大になるように打つ。鳴かない", "idea.careful": "手の価値と放銃の損を比べて打つ。危険なら降り、安く速い手では鳴く",
    "idea.montecarlo": "相手モデルを使って局の終わりまで模擬し、最終順位を目指す", "idea.mdp": "届く手牌すべてのマルコフ決定過程を、局の終わりから遡って解く", "idea.one_player": "和了だけを目指す上級者の打牌と鳴きを、学習した重みで真似る。降りない",
    "idea.search": "届く和了形を、足りない牌の確率と得点で評価する", "idea.rvr": "報酬分散低減つきの自己対戦で学習したネットワーク。最も確率の高い手を選ぶ", "idea.policy": "「janshi train」で書き出した任意のネットワーク（policy:file=weights.npz）", "idea.majiang": "kobalab氏のmajiang-ai（mjaiプロトコルで対戦する第三者のAI）",
    "unit.rank": "順位", "unit.points": "点", "unit.points (thousands)": "千点", "unit.probability": "確率", "unit.learned value": "学習された評価",
    "number.score": "総合評価", "number.rank": "期待順位", "number.points": "点数期待値", "number.win": "和了率", "number.lose": "放銃率", "number.deal-in": "放銃率", "number.other": "他家和了率", "number.tenpai draw": "流局聴牌", "number.noten draw": "流局ノーテン",
    "number.danger right": "下家への放銃率", "number.danger across": "対面への放銃率", "number.danger left": "上家への放銃率", "number.probability": "選ぶ確率", "number.value": "評価値", "number.shanten": "向聴数", "number.useful tiles": "受け入れ枚数", "number.cost in points": "放銃の失点（期待値）",
    "say.discard {tile}": "打{tile}", "say.play {tile}": "打{tile}", "say.tsumogiri": "ツモ切り", "say.tsumogiri {tile}": "ツモ切り{tile}", "say.riichi": "リーチ", "say.pass": "スルー", "say.nine terminals": "九種九牌",
    "say.chi low": "チー（左）", "say.chi middle": "チー（中）", "say.chi high": "チー（右）", "say.chi low red": "チー（左・赤）", "say.chi middle red": "チー（中・赤）", "say.chi high red": "チー（右・赤）", "say.chi {tile} taking {taken}": "{taken}をチー（{tile}）",
    "say.pon": "ポン", "say.pon red": "ポン（赤）", "say.peng {tile}": "ポン{tile}", "say.pong": "ポン", "say.kan": "大明槓", "say.kong {tile}": "槓{tile}", "say.concealed kan {tile}": "暗槓{tile}", "say.concealed kong {tile}": "暗槓{tile}", "say.added kan {tile}": "加槓{tile}", "say.added kong {tile}": "加槓{tile}",
    "say.tsumo": "ツモ", "say.ron": "ロン", "say.hu": "和了",
    "say.then fold": "以後オリ", "say.waiting": "聴牌", "say.: {tiles}": "（{tiles}の順）", "say.: {tiles} …": "（{tiles}…の順）",
    "say.; draw {tiles} ({count}), discard {discard}": " → {tiles}をツモ（{count}）、打{discard}", "say.; call {tiles} ({count}), discard {discard}": " → {tiles}を鳴いて（{count}）、打{discard}", "say.; draw or call {tiles} ({count}), discard {discard}": " → {tiles}をツモるか鳴いて（{count}）、打{discard}",
    "say.; after {last}, draw {tiles} ({count}), discard {discard}": " → {last}なら次に{tiles}をツモ（{count}）、打{discard}", "say.; after {last}, call {tiles} ({count}), discard {discard}": " → {last}なら次に{tiles}を鳴いて（{count}）、打{discard}", "say.; after {last}, draw or call {tiles} ({count}), discard {discard}": " → {last}なら次に{tiles}をツモるか鳴いて（{count}）、打{discard}",
    "say. → waiting {tiles} ({count})": " → {tiles}待ち（{count}）", "say. → riichi, waiting {tiles} ({count})": " → リーチ、{tiles}待ち（{count}）", "say., which cannot win": "、ただし役なしで和了れない",
    "say.{n} tile": "{n}枚", "say.{n} tiles": "{n}枚", "say.{tiles} or {last}": "{tiles}か{last}", "say.{tiles} or others": "{tiles}など",
  },
  zh: {
    "agent.mdp": "mdp · 立直最强", "agent.montecarlo": "montecarlo · 强", "agent.careful": "careful · 稳健", "agent.one_player": "one_player · 猛攻", "agent.greedy": "greedy · 速攻不鸣牌", "agent.random": "random · 随机", "agent.tsumogiri": "tsumogiri · 只摸切",
    "agent.search": "search · 稳健", "agent.rvr": "rvr · 自我对弈学成", "agent.policy": "policy · 任意网络", "agent.majiang": "majiang",
    "idea.random": "在合法动作中均匀随机选择", "idea.tsumogiri": "只摸切，不和牌也不鸣牌", "idea.greedy": "向听数最小，其次有效牌最多；不鸣牌", "idea.careful": "权衡手牌价值与放铳损失；遇险则弃和，便宜快速的牌会鸣牌",
    "idea.montecarlo": "用对手模型模拟到本局结束，以最终顺位为目标", "idea.mdp": "对可达的所有手牌，从局终倒推求解马尔可夫决策过程", "idea.one_player": "以学得的权重模仿只求和牌的高手打牌与鸣牌；从不弃和",
    "idea.search": "按缺牌的概率与得分评估可达的和牌", "idea.rvr": "以降低奖励方差的自我对弈学成的网络，取概率最高的动作", "idea.policy": "由“janshi train”导出的任意网络（policy:file=weights.npz）", "idea.majiang": "kobalab 的 majiang-ai（通过 mjai 协议对战的第三方AI）",
    "unit.rank": "顺位", "unit.points": "点", "unit.points (thousands)": "千点", "unit.probability": "概率", "unit.learned value": "学得的评价",
    "number.score": "综合评价", "number.rank": "期望顺位", "number.points": "点数期望值", "number.win": "和牌率", "number.lose": "放铳率", "number.deal-in": "放铳率", "number.other": "他家和牌率", "number.tenpai draw": "流局听牌", "number.noten draw": "流局未听",
    "number.danger right": "对下家放铳率", "number.danger across": "对对家放铳率", "number.danger left": "对上家放铳率", "number.probability": "选择概率", "number.value": "评价值", "number.shanten": "向听数", "number.useful tiles": "有效牌张数", "number.cost in points": "放铳失点（期望）",
    "say.discard {tile}": "打{tile}", "say.play {tile}": "打{tile}", "say.tsumogiri": "摸切", "say.tsumogiri {tile}": "摸切{tile}", "say.riichi": "立直", "say.pass": "过", "say.nine terminals": "九种九牌",
    "say.chi low": "左吃", "say.chi middle": "中吃", "say.chi high": "右吃", "say.chi low red": "左吃（用赤牌）", "say.chi middle red": "中吃（用赤牌）", "say.chi high red": "右吃（用赤牌）", "say.chi {tile} taking {taken}": "吃{taken}（{tile}）",
    "say.pon": "碰", "say.pon red": "碰（用赤牌）", "say.peng {tile}": "碰{tile}", "say.pong": "碰", "say.kan": "明杠", "say.kong {tile}": "杠{tile}", "say.concealed kan {tile}": "暗杠{tile}", "say.concealed kong {tile}": "暗杠{tile}", "say.added kan {tile}": "加杠{tile}", "say.added kong {tile}": "补杠{tile}",
    "say.tsumo": "自摸", "say.ron": "荣和", "say.hu": "和牌",
    "say.then fold": "之后弃和", "say.waiting": "听牌", "say.: {tiles}": "（依次打{tiles}）", "say.: {tiles} …": "（依次打{tiles}…）",
    "say.; draw {tiles} ({count}), discard {discard}": " → 摸{tiles}（{count}），打{discard}", "say.; call {tiles} ({count}), discard {discard}": " → 鸣{tiles}（{count}），打{discard}", "say.; draw or call {tiles} ({count}), discard {discard}": " → 摸或鸣{tiles}（{count}），打{discard}",
    "say.; after {last}, draw {tiles} ({count}), discard {discard}": " → 若来{last}，再摸{tiles}（{count}），打{discard}", "say.; after {last}, call {tiles} ({count}), discard {discard}": " → 若来{last}，再鸣{tiles}（{count}），打{discard}", "say.; after {last}, draw or call {tiles} ({count}), discard {discard}": " → 若来{last}，再摸或鸣{tiles}（{count}），打{discard}",
    "say. → waiting {tiles} ({count})": " → 听{tiles}（{count}）", "say. → riichi, waiting {tiles} ({count})": " → 立直，听{tiles}（{count}）", "say., which cannot win": "，但无役不能和",
    "say.{n} tile": "{n}张", "say.{n} tiles": "{n}张", "say.{tiles} or {last}": "{tiles}或{last}", "say.{tiles} or others": "{tiles}等",
  },
};
