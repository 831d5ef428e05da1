"""The style sheet of reports: light and dark, wide and narrow."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --page: #fdfdfb; --ink: #1d2126; --soft: #5b6570; --rule: #d5d9dd; --fill: #f1f3f4;
  --k0: #0b6bb3; --k1: #c2500a; --k2: #0a7d5a; --k3: #a8397f; --k4: #7a6300; --k5: #3c7f9e;
  --k6: #7b4fc9; --k7: #666c73;
  --r1: #5fb58f; --r2: #a9d5b9; --r3: #ecd59a; --r4: #e39a79; --in: #10141a; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --ink: #e6e8ea; --soft: #a3acb5; --rule: #363c43; --fill: #1e2226;
    --k0: #62b2ef; --k1: #f2935a; --k2: #4fc79b; --k3: #e58bc2; --k4: #d8bd4a; --k5: #8cc8e2;
    --k6: #b59af2; --k7: #aab1b8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 68rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
h3 { margin: 2rem 0 .5rem; }
a { color: var(--k0); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--fill); padding: .75rem; overflow-x: auto; border-radius: .4rem; }
dl { display: grid; gap: .3rem 1rem; margin: 0 0 1rem; }
dl div { display: grid; grid-template-columns: 7rem 1fr; gap: .5rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.verdict { font-size: 1.1rem; padding: .6rem .9rem; background: var(--fill); border-radius: .4rem; }
.scroll { overflow-x: auto; margin-top: 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--rule); text-align: right; vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child, td:has(code) { text-align: left; }
tbody th { font-weight: 400; min-width: 8rem; max-width: 22rem; }
small { color: var(--soft); white-space: nowrap; }
.note, figcaption { color: var(--soft); font-size: .9rem; max-width: 46rem; margin: .3rem 0 0; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr));
  gap: 1.5rem; margin: 1.5rem 0; }
figure { margin: 0; }
svg { width: 100%; max-width: 40rem; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .tick { fill: var(--soft); font-size: 11px; }
svg .in { fill: var(--in); font-size: 11px; }
svg .axis { stroke: var(--soft); } svg .grid { stroke: var(--rule); }
svg .even { stroke: var(--soft); stroke-dasharray: 4 4; }
svg .whisker { stroke: var(--k); stroke-width: 2; } svg .mark { fill: var(--k); }
svg .curve { stroke: var(--k); stroke-width: 2; fill: none; } svg .band { fill: var(--k); opacity: .15; }
.k0 { --k: var(--k0); } .k1 { --k: var(--k1); } .k2 { --k: var(--k2); } .k3 { --k: var(--k3); }
.k4 { --k: var(--k4); } .k5 { --k: var(--k5); } .k6 { --k: var(--k6); } .k7 { --k: var(--k7); }
.r1 { --k: var(--r1); } .r2 { --k: var(--r2); } .r3 { --k: var(--r3); } .r4 { --k: var(--r4); }
@media print { .scroll { overflow: visible; } }
"""
