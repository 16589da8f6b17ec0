import type { Site } from "../components/site.js";
import type { Component } from "../../definition/schema/component-schema.js";
import type { ProjectData } from "../../definition/schema/project-data.js";

/** The subject: what the email's page is titled. */
export function subjectOf(definition: ProjectData, site: Site): string {
  const source = definition.email?.subject ?? definition.fileName ?? "";
  const path = definition.email ? "$.email.subject" : "$.fileName";
  return site.within({ path }).text(source, "html");
}

/** The line that mail programs show beside the subject; empty when there is none. */
export function preheaderOf(definition: ProjectData, site: Site): string {
  const { email, components } = definition;
  const inside = site.within({ path: "$.email.preheader" });
  const line = email?.preheader
    ? inside.text(email.preheader, "html")
    : componentLine(components, site);
  return line === "" ? "" : `<mj-preview>${line}</mj-preview>`;
}

/** MJML leaves out a line that is empty; one that no eye sees stays, whenever the data is merged. */
const NOTHING = "&#8203;";

/** Of the first preheader at the top, where its condition holds. */
function componentLine(list: readonly Component[], site: Site): string {
  const index = list.findIndex(({ type }) => type === "preheader");
  const component = list[index];
  if (component?.type !== "preheader") return "";
  const inside = site.within({ path: `$.components[${index}]` });
  const line = inside.text(component.text, "html");
  const { condition } = component;
  return condition ? inside.when(condition, line, NOTHING) : line;
}
