import type { BlueprintCard } from "../../../../../../core/plugin-api/app-drafts.js";
import { askPublic } from "../../api.js";
import { base } from "../../router.js";

type TemplateType = "document" | "email";

/** What a template is made of. */
export interface Source {
  /** Unlike any other's. */
  id: string;
  name: string;
  description: string;
  templateType: TemplateType;
  /** Of the first page; null where there is nothing to see. */
  picture: string | null;
  /** What the public API is told beside the name. */
  order: Readonly<Record<string, unknown>>;
}

export const blanks: readonly Source[] = [
  {
    id: "blank-document",
    name: "Blank document",
    description: "An empty page for a PDF: letters, invoices, labels.",
    templateType: "document",
    picture: null,
    order: { templateType: "document" },
  },
  {
    id: "blank-email",
    name: "Blank email",
    description: "An empty email that fits every inbox and phone.",
    templateType: "email",
    picture: null,
    order: { templateType: "email" },
  },
];

export function ofBlueprint(card: BlueprintCard): Source {
  const { id } = card;
  const picture = `${base}api/blueprints/${id}/picture`;
  return { ...card, picture, order: { blueprint: id } };
}

/** A definition that somebody saved as a file. Rejects with an Error in words. */
export async function ofFile(file: File): Promise<Source> {
  const { definition, name } = named(await parsed(file));
  const isEmail = "email" in definition;
  const templateType = isEmail ? "email" : "document";
  return {
    id: "file",
    name: name ?? file.name.replace(/\.json$/i, ""),
    description: `From the file ${file.name}.`,
    templateType,
    picture: null,
    order: { definition, templateType },
  };
}

async function parsed(file: File): Promise<object> {
  const text = await file.text();
  const fault = new Error(
    `${file.name} is no template. Choose a file that “Save as a file” made.`,
  );
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    throw fault;
  }
  throw fault;
}

/** Some files have the definition with its name around it. */
function named(value: object): { definition: object; name: string | null } {
  const hasInner = "definition" in value;
  const inner = hasInner ? value.definition : value;
  const definition = typeof inner === "object" && inner ? inner : value;
  const name = "name" in value ? value.name : null;
  return { definition, name: typeof name === "string" ? name : null };
}

/** @returns the new template's id */
export async function makeTemplate(
  source: Source,
  name: string,
  folderId: string | null,
): Promise<string> {
  const order = { ...source.order, name };
  const { id } = await askPublic<{ id: string }>("templates", "POST", order);
  if (folderId !== null)
    await askPublic(`templates/${id}`, "PATCH", { folderId });
  return id;
}
