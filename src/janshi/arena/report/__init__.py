"""The HTML report of a match or tournament.

- `page`: the whole page;
- `tables`, `plots`: its parts;
- `style`, `svg`: the style sheet, and drawing as SVG.
"""
