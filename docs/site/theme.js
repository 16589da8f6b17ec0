// Loaded before the page is drawn, so that a chosen theme does not flash.
const theme = localStorage.getItem("platen-docs-theme");
if (theme === "light" || theme === "dark")
  document.documentElement.dataset.theme = theme;
