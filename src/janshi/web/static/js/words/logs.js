/** How to get the logs of one's games from the sites where they were played. */
export default {
  en: {
    "logs.title": "How do I get my logs?",
    "logs.tenhou": "Tenhou",
    "logs.tenhou.1":
      "Find the game among your logs (牌譜) on tenhou.net. Its link contains log=2024…gm-…: that is the " +
      "game's id.",
    "logs.tenhou.2":
      "Open tenhou.net/6/?log=ID in a browser, press “Edit as text” there, copy all of the text and paste it here.",
    "logs.tenhou.3":
      "Or save tenhou.net/0/log/?ID as a file (mjlog) and drop it here; the Windows client's .mjlog files " +
      "work too.",
    "logs.soul": "Mahjong Soul",
    "logs.soul.1":
      "The game has no download button: open the log in a browser (Logs, then Share, gives its paipu " + "link).",
    "logs.soul.2":
      "Save it with a log downloader for browsers, such as tensoul, which writes tenhou.net/6 files, or " +
      "any tool that keeps the game's own JSON or protobuf. These tools are not ours.",
    "logs.soul.3": "Drop the file here. Games of three players cannot be reviewed.",
    "logs.other": "Other sites",
    "logs.other.1":
      "majiang: download the paipu as JSON. Botzone: save the match's full log. Games played here: “Review " +
      "this game” at the end.",
    "logs.private": "Files stay on this machine.",
  },
  ja: {
    "logs.title": "牌譜の入手方法",
    "logs.tenhou": "天鳳",
    "logs.tenhou.1": "tenhou.netの牌譜一覧から対局を探します。リンクの「log=2024…gm-…」の部分が牌譜IDです。",
    "logs.tenhou.2":
      "ブラウザで tenhou.net/6/?log=ID を開き、「Edit as text」を押して全文をコピーし、ここに貼り付けます。",
    "logs.tenhou.3":
      "または tenhou.net/0/log/?ID をファイル（mjlog）として保存し、ここにドロップします。Windows版の.mjlogも読めます。",
    "logs.soul": "雀魂",
    "logs.soul.1":
      "ゲーム内にダウンロード機能はありません。牌譜をブラウザで開きます（牌譜→共有でpaipuのリンクが得られます）。",
    "logs.soul.2":
      "ブラウザ用の牌譜保存ツールで保存します。tensoulはtenhou.net/6形式で書き出します。ゲーム本来のJSONやprotobufを保存するツールでもかまいません。いずれも第三者のツールです。",
    "logs.soul.3": "保存したファイルをここにドロップします。三人麻雀は検討できません。",
    "logs.other": "その他",
    "logs.other.1":
      "電脳麻将：牌譜をJSONで保存。Botzone：対局の完全なログを保存。ここでの対局：終了後に「この対局を検討する」。",
    "logs.private": "ファイルはこのコンピューターの外に出ません。",
  },
  zh: {
    "logs.title": "如何取得牌谱？",
    "logs.tenhou": "天凤",
    "logs.tenhou.1": "在 tenhou.net 的牌谱列表中找到对局，链接中的 log=2024…gm-… 就是牌谱编号。",
    "logs.tenhou.2": "用浏览器打开 tenhou.net/6/?log=编号，按“Edit as text”，复制全部文字并粘贴到这里。",
    "logs.tenhou.3": "或把 tenhou.net/0/log/?编号 存成文件（mjlog）拖到这里；Windows 客户端的 .mjlog 也可以。",
    "logs.soul": "雀魂",
    "logs.soul.1": "游戏内没有下载按钮：在浏览器中打开牌谱（牌谱→分享，可得到 paipu 链接）。",
    "logs.soul.2":
      "用浏览器的牌谱下载工具保存，例如写出 tenhou.net/6 格式的 tensoul；保存游戏原有 JSON 或 protobuf 的工具也可以。这些都是第三方工具。",
    "logs.soul.3": "把文件拖到这里。三人麻将不能分析。",
    "logs.other": "其他",
    "logs.other.1": "电脑麻将：把牌谱存成 JSON。Botzone：保存完整的对局日志。在这里打的牌：结束后按“分析这场对局”。",
    "logs.private": "文件不会离开这台电脑。",
  },
};
