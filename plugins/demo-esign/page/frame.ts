import { demoMark } from "../words.js";
import { style } from "./style.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? one);
}

/** A whole page around what is in its card. @param body markup whose texts are escaped. */
export function frame(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main class="card">
<p class="mark">${demoMark}</p>
<div class="content">
${body}
</div>
</main>
<p class="foot">This page shows how signing goes. It identifies nobody.</p>
</body>
</html>`;
}

/** For an address that leads to nobody's signature. */
export function noPage(): string {
  return frame(
    "Nothing to sign",
    `<h1>There is nothing to sign here</h1>
<p class="lead">The address is not whole, or the request is gone. Open the link once more as you were given it, or ask whoever sent it.</p>`,
  );
}
