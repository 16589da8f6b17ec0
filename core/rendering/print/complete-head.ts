/** Gives the html a title and a language where it has none of its own; both reach the PDF. */
export function completeHead(
  html: string,
  title: string | undefined,
  language: string | undefined,
): string {
  let complete = html;
  if (language !== undefined && !/<html\b[^>]*\blang\s*=/i.test(html))
    complete = complete.replace(
      /<html\b/i,
      (tag) => `${tag} lang="${escapeHtml(language)}"`,
    );
  if (title !== undefined && !/<title\b/i.test(html))
    complete = complete.replace(
      /<head\b[^>]*>/i,
      (tag) => `${tag}<title>${escapeHtml(title)}</title>`,
    );
  return complete;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
