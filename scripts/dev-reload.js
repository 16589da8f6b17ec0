// Part of the studio's script under `npm run dev`: once the service serves another page than the one that is open, takes
// over its styles, if only they changed, or loads the page again. What is typed is kept: drafts are saved as one types.
const describe = (page) => ({
  script: page.querySelector("script[src]").getAttribute("src"),
  styles: page.querySelector("link[rel=stylesheet]").getAttribute("href"),
});
const shown = describe(document);

async function check() {
  const response = await fetch(location.pathname).catch(() => null);
  if (response?.ok !== true) return;
  const text = await response.text();
  const served = describe(new DOMParser().parseFromString(text, "text/html"));
  if (served.script !== shown.script) location.reload();
  if (served.styles === shown.styles) return;
  shown.styles = served.styles;
  const link = document.querySelector("link[rel=stylesheet]").cloneNode();
  link.href = served.styles;
  document.head.append(link);
}

setInterval(() => void check(), 500);
