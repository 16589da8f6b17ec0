import type { PromptMessage } from "@modelcontextprotocol/server";

/** What is to be done, in our words. */
export function task(...lines: string[]): PromptMessage {
  return { role: "user", content: { type: "text", text: lines.join("\n") } };
}

/** What the person said, as fields: nothing in them is mistaken for our words. */
export function wishes(given: Readonly<Record<string, string>>): PromptMessage {
  const said = Object.entries(given).filter(([, value]) => value.trim() !== "");
  return task(
    "What I want, as JSON:",
    JSON.stringify(Object.fromEntries(said)),
  );
}

/** The way from nothing to a template that was looked at. */
export const designSteps = [
  "1. Read the guide with get_template_ast_guide.",
  "2. If a template is named to start from, read it with get_template and keep its look; else list_templates may show one worth cloning.",
  "3. Write the definition, with realistic sample data for every field. Check it with create_template and dryRun: true, and mend each problem at its path until none is left.",
  '4. Create it with create_template, then render_document with isTest: true, formats ["pdf"], the sample data and preview: "first". Look at the picture: margins, alignment, cut-off text, empty areas.',
  "5. Improve it with edit_template and look again until it is beautiful. Then tell me the template's id and which data it takes.",
];
