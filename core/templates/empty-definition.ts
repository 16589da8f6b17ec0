import type { ProjectData, TemplateType } from "../definition/index.js";

/** The least that is a template of this type: what somebody begins with who brings nothing. */
export function emptyDefinition(templateType: TemplateType): ProjectData {
  const empty: ProjectData = {
    schema: [{ id: "root", fields: [] }],
    components: [],
  };
  return templateType === "email"
    ? { ...empty, email: { subject: "" } }
    : empty;
}
