import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { askPublic } from "../../api.js";
import { definitionOf } from "../session/meeting.js";

/** A snapshot of the template; times are ISO 8601. */
export interface Version {
  id: string;
  version: number;
  description: string;
  createdAt: string;
  createdBy: { name: string };
}

/** The newest first. */
export function versionsOf(templateId: string): Promise<Version[]> {
  return askPublic<Version[]>(`templates/${templateId}/versions`);
}

export async function definitionAt(
  templateId: string,
  { id }: Version,
): Promise<ProjectData> {
  const at = `templates/${templateId}/${id}`;
  const { definition } = await askPublic<{ definition: unknown }>(at);
  return definitionOf(definition);
}
