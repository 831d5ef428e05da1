// Runs before the first paint, so that a chosen theme or language never flashes.
(() => {
  const root = document.documentElement;
  try {
    root.dataset.theme = localStorage.getItem("janshi.theme") || "auto";
    root.lang = localStorage.getItem("janshi.language") || root.lang;
  } catch {
    // Storage may be forbidden; then the page uses its defaults.
  }
})();
