import type { Site } from "../components/site.js";
import type { Component } from "../definition/component-schema.js";
import type { ProjectData } from "../definition/project-data.js";

/** The subject: what the email's page is titled. */
export function subjectOf(definition: ProjectData, site: Site): string {
  const source = definition.email?.subject ?? definition.fileName ?? "";
  const path = definition.email ? "$.email.subject" : "$.fileName";
  return site.within({ path }).text(source, "html");
}

/** The line that mail programs show beside the subject; empty when there is none. */
export function preheaderOf(definition: ProjectData, site: Site): string {
  const { email, components } = definition;
  const source = email?.preheader ?? findPreheader(components);
  if (source === undefined) return "";
  return `<mj-preview>${site.within({ path: "$.email.preheader" }).text(source, "html")}</mj-preview>`;
}

function findPreheader(components: readonly Component[]): string | undefined {
  return components.find((one) => one.type === "preheader")?.text;
}
