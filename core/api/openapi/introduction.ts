/** What the reference says before its first operation, in Markdown. */
export const introduction = `
Platen merges JSON data into templates and answers with documents: \`pdf\`, \`html\`, \`image\` or \`mjml\`.

- **Key.** Every request carries the header \`x-api-key\`. A key has permissions; each operation names the one it needs.
- **Errors.** Every error is \`{ "error": "what, where, and how to mend it" }\`.
- **Times** are ISO 8601 in UTC.
- **Lists** take \`page\` and \`pageSize\` (1 to 100) and return \`pagination\` with the \`total\`. Without \`pageSize\` the
  first 100 are returned.
- **Request ids.** Send \`x-request-id\` to find your request in the log; it is returned, or made, in any case.

\`\`\`sh
curl -s "$PLATEN/api/export" -H "x-api-key: $KEY" -H "content-type: application/json" \\
  -d '{ "templateId": "…", "formats": ["pdf"], "data": { "number": "2026-117" } }'
\`\`\`
`.trim();
