import { escapeXml } from "../../lib/escape-xml.js";

/** A quiet box with the image's alternative text, for an image that could not be had; a base64 data URL. */
export function placeholder(alt: string): string {
  const words = alt.trim().replace(/\s+/g, " ") || "Image not available";
  const label = words.length > 40 ? `${words.slice(0, 39)}…` : words;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120" viewBox="0 0 240 120">' +
    '<rect x=".5" y=".5" width="239" height="119" rx="6" fill="#f5f6f8" stroke="#c9ced6" stroke-dasharray="4 3"/>' +
    '<g fill="none" stroke="#98a1ae" stroke-width="1.5" stroke-linejoin="round"><rect x="104" y="32" width="32" height="24" rx="3"/>' +
    '<path d="m106 53 8-9 6 6 5-5 9 8"/><circle cx="127" cy="39.500" r="2.500"/></g>' +
    `<text x="120" y="80" text-anchor="middle" font-family="Inter,Noto Sans,sans-serif" font-size="11" fill="#667080">${escapeXml(label)}</text></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
