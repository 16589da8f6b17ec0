import type { ContentBlock } from "@modelcontextprotocol/server";
import { z } from "zod";
import { TEMPLATE_TYPES, definitionGuide } from "../../definition/index.js";
import type { Preview } from "../../documents/index.js";
import { formatError, PlatenError } from "../../plugin-api/index.js";
import {
  blueprintIds,
  maxPatchOperations,
  PATCH_OPERATIONS,
  type TemplateDraft,
  type TemplateEdit,
  type TemplateListView,
} from "../../templates/index.js";
import {
  toArgumentPaths,
  actorOf,
  jsonBlock,
  listProblems,
  contentTool,
  type Tool,
  tool,
  pictureBlock,
  type Session,
  textBlock,
} from "../tool.js";
import {
  idInput,
  createHints,
  definitionInput,
  descriptionInput,
  dryRunInput,
  formatInput,
  isLandscapeInput,
  nameInput,
  type ToolServices,
  templateIdInput,
  defaultLimit,
  pageInput,
  pageSizeInput,
  readOnlyHints,
  truncate,
  paginationOutput,
  includeDefinitionInput,
  definitionIfShort,
  trashHints,
  limitInput,
  offsetInput,
} from "./shared.js";

/** A template in an answer; further fields are those of the REST interface. */
const templateOutput = z.looseObject({
  id: z.string(),
  name: z.string(),
  templateType: z.enum(["document", "email"]),
  isActive: z.boolean(),
  updatedAt: z.string(),
});

const createInput = z.strictObject({
  name: nameInput.meta({ description: "The template's name." }),
  description: descriptionInput.optional().meta({
    description: "What it is for. Default: that of the blueprint or the clone.",
  }),
  templateType: z.enum(TEMPLATE_TYPES).optional().meta({
    description:
      "Default: that of the blueprint or the clone, or else document.",
    default: "document",
  }),
  definition: definitionInput.optional(),
  blueprint: z
    .string()
    .optional()
    .meta({
      description: `The name of an example template: ${blueprintIds().join(", ")}.`,
    }),
  cloneTemplateId: idInput
    .optional()
    .meta({ description: "A template of the organization, a UUID." }),
  format: formatInput.optional(),
  isLandscape: isLandscapeInput.optional(),
  dryRun: dryRunInput.optional(),
});

const patchInput = z
  .array(
    z.looseObject({
      op: z.enum(PATCH_OPERATIONS),
      path: z.string(),
      from: z.string().optional(),
      value: z.unknown().optional(),
    }),
  )
  .min(1)
  .max(maxPatchOperations)
  .meta({
    description:
      "Small changes of the definition, as JSON Patch (RFC 6902): much shorter than a whole definition. Paths are JSON pointers " +
      "into the definition as get_template returns it, such as /components/0/text; /components/- appends. A test operation " +
      "guards against changing the wrong component.",
  });

/** Which state of the template the caller has read, and what to store of the new one. */
const saveInputs = {
  createVersion: z.boolean().optional().meta({
    description:
      "True: keep the definition, as it is after this edit, as a new version.",
  }),
  versionNote: z
    .string()
    .max(10_000, "must be at most 10000 characters long")
    .optional()
    .meta({
      description: "What changed; kept with the version of createVersion.",
    }),
  expectedVersion: z
    .union([z.int(), z.string()], {
      error: "must be an updatedAt or the number of a version.",
    })
    .optional()
    .meta({
      description:
        "The updatedAt that you have read (or the version, if nothing was changed since that version was made). When the " +
        "template was changed since, nothing is done and you are told: nobody's work is overwritten unseen.",
    }),
  dryRun: dryRunInput.optional(),
};

const editInput = z.strictObject({
  templateId: templateIdInput,
  name: nameInput.optional().meta({ description: "A new name." }),
  description: descriptionInput
    .nullable()
    .optional()
    .meta({ description: "A new description; null for none." }),
  definition: definitionInput.optional().meta({
    description:
      "The whole new definition: what it leaves out is gone. A component keeps its id and its collectionId. For a change of " +
      "a few places, use patch instead.",
  }),
  patch: patchInput.optional(),
  format: formatInput.optional(),
  isLandscape: isLandscapeInput.optional(),
  isActive: z.boolean().optional().meta({
    description: "False: it cannot be rendered.",
  }),
  ...saveInputs,
});

const listInput = z.strictObject({
  page: pageInput.optional(),
  pageSize: pageSizeInput.optional(),
  q: z.string().optional().meta({
    description: "Part of the name, case-insensitive.",
  }),
  recentlyUpdated: z.boolean().optional().meta({
    description:
      "True: the last changed first. Otherwise the last created first.",
  }),
});

const listOutput = z.looseObject({
  data: z.array(templateOutput),
  pagination: paginationOutput,
});

/** The fields needed to choose a template; `get_template` returns the rest. */
function toSummary(template: TemplateListView) {
  const { id, name, description, templateType, isActive } = template;
  const { folderId, dataSource, createdAt, updatedAt, createdBy } = template;
  return {
    id,
    name,
    description: truncate(description),
    templateType,
    isActive,
    folderId,
    dataSource,
    createdAt,
    updatedAt,
    createdBy: { id: createdBy.id, name: createdBy.name },
  };
}

const getInput = z.strictObject({
  templateId: templateIdInput,
  typeOnly: z
    .boolean()
    .optional()
    .meta({ description: "True: answer with the id and the type alone." }),
  includeDefinition: includeDefinitionInput.optional(),
});

const getOutput = z.looseObject({
  id: z.string(),
  templateType: z.enum(["document", "email"]),
  name: z.string().optional(),
  version: z.number().optional(),
  updatedAt: z.string().optional(),
  definition: z.looseObject({}).optional(),
  definitionLeftOut: z.looseObject({}).optional(),
});

const duplicateInput = z.strictObject({ templateId: templateIdInput });

const deleteInput = z.strictObject({ templateId: templateIdInput });

/** A draft with all that was found in it and, when it could be saved, its picture. */
async function describeDraft(
  { draftPreviews }: Pick<ToolServices, "draftPreviews">,
  { caller, signal }: Pick<Session, "caller"> & { signal: AbortSignal },
  draft: TemplateDraft,
): Promise<ContentBlock[]> {
  const { template, problems, warnings } = draft;
  const summary = {
    dryRun: true,
    isValid: template !== null,
    ...listProblems("problems", problems),
    ...listProblems("warnings", warnings),
  };
  if (template === null) return [jsonBlock(summary)];
  try {
    const pictures = await draftPreviews.draw(
      caller.organizationId,
      template,
      signal,
    );
    return [jsonBlock(summary), ...pictures.map(toPictureBlock)];
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    return [jsonBlock({ ...summary, previewProblem: formatError(error) })];
  }
}

/** Saves an edit and describes what was saved; with `dryRun`, describes what would be. */
async function editTemplate(
  services: ToolServices,
  call: Pick<Session, "caller"> & { signal: AbortSignal },
  id: string,
  { dryRun: isDry, ...edit }: TemplateEdit & { dryRun?: boolean | undefined },
): Promise<ContentBlock[]> {
  const { templateEditor } = services;
  const { caller } = call;
  if (isDry) {
    const draft = await templateEditor.dryEdit(caller, id, edit);
    return describeDraft(services, call, draft);
  }
  const edited = await templateEditor.edit(caller, id, edit, actorOf(caller));
  const warnings = toArgumentPaths(
    edited.warnings,
    Object.keys(editInput.shape),
  );
  return [jsonBlock({ ...edited, ...listProblems("warnings", warnings) })];
}

export function toPictureBlock({ bytes }: Preview): ContentBlock {
  return pictureBlock(bytes, "image/png");
}

const defaultVersionLimit = 50;

const listVersionsInput = z.strictObject({
  templateId: templateIdInput,
  limit: limitInput
    .optional()
    .meta({ description: "How many, 1 to 100. Default 50." }),
  offset: offsetInput.optional(),
});

const listVersionsOutput = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      version: z.number(),
      description: z.string(),
      createdAt: z.string(),
    }),
  ),
  total: z.number(),
});

const getVersionInput = z.strictObject({
  templateId: templateIdInput,
  versionId: idInput.meta({
    description:
      "The version's id, which starts with ver_, as list_template_versions returns it.",
  }),
  includeDefinition: includeDefinitionInput.optional(),
});

const restoreVersionInput = z.strictObject({
  templateId: templateIdInput,
  versionId: getVersionInput.shape.versionId,
  ...saveInputs,
});

const getVersionOutput = z.looseObject({
  id: z.string(),
  templateId: z.string(),
  version: z.number(),
  description: z.string(),
  createdAt: z.string(),
  definition: z.looseObject({}).optional(),
  definitionLeftOut: z.looseObject({}).optional(),
});

/** The guide, templates and their versions. */
export function templateTools(services: ToolServices): Tool[] {
  const { templates, templateEditor } = services;
  return [
    /** The guide, as text: within JSON its line breaks alone would cost a tenth more. */
    contentTool({
      name: "get_template_ast_guide",
      title: "Read the guide to definitions",
      description:
        "How to write a template's definition (ProjectData): pages, components, data binding, styles, with examples. " +
        "Read it once before create_template or edit_template.",
      scope: "templates:read",
      input: z.strictObject({}),
      annotations: readOnlyHints,
      run: async () => [textBlock(definitionGuide())],
    }),
    contentTool({
      name: "create_template",
      title: "Create a template",
      description:
        "A new template from one of definition, blueprint and cloneTemplateId; from none of them, an empty one. Read " +
        "get_template_ast_guide before you write a definition. All problems of a definition are returned at once, each with " +
        "its path: fix them all and call again. Then look at it by render_document with isTest: true.",
      scope: "templates:write",
      input: createInput,
      annotations: createHints,
      async run({ caller, input: { dryRun: isDry, ...order }, signal }) {
        if (isDry) {
          const draft = await templateEditor.dryCreate(caller, order);
          return describeDraft(services, { caller, signal }, draft);
        }
        const actor = actorOf(caller);
        const made = await templateEditor.create(caller, order, actor);
        return [
          jsonBlock({ ...made, ...listProblems("warnings", made.warnings) }),
        ];
      },
    }),
    contentTool({
      name: "edit_template",
      title: "Edit a template",
      description:
        "Changes what is named and leaves the rest: name, description, paper, isActive, and the definition by a patch or as a " +
        "whole. All of one call is changed together, or nothing when there is a problem. The definition of documents to come " +
        "changes at once; versions stay as they were made.",
      scope: "templates:write",
      input: editInput,
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
      async run({ caller, input, signal }) {
        const { templateId, ...edit } = input;
        return editTemplate(services, { caller, signal }, templateId, edit);
      },
    }),
    tool({
      name: "list_templates",
      title: "List templates",
      description:
        "The organization's templates, without definitions and without those in the trash. Look here for what to clone or " +
        "render before you create.",
      scope: "templates:read",
      input: listInput,
      output: listOutput,
      annotations: readOnlyHints,
      async run({ caller, input }) {
        const { data, pagination } = await templates.list(
          caller.organizationId,
          {
            page: input.page ?? 1,
            pageSize: input.pageSize ?? defaultLimit,
            q: input.q,
            recentlyUpdated: input.recentlyUpdated,
          },
        );
        return { data: data.map(toSummary), pagination };
      },
    }),
    tool({
      name: "get_template",
      title: "Read a template",
      description:
        "A template's settings and its definition; one in the trash too. The definition is what edit_template takes, " +
        "and updatedAt what it takes as expectedVersion.",
      scope: "templates:read",
      input: getInput,
      output: getOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId }, input }) {
        const { templateId: id, typeOnly } = input;
        if (typeOnly) return templates.typeOf(organizationId, id);
        const template = await templates.get(organizationId, id);
        const { definition, ...settings } = template;
        return {
          ...settings,
          ...definitionIfShort(definition, input.includeDefinition),
        };
      },
    }),
    tool({
      name: "duplicate_template",
      title: "Duplicate a template",
      description:
        "A new template with the same definition, type, description and folder, named after the old one. Its history " +
        "begins anew, as version 1. To choose its name or paper, call create_template with cloneTemplateId instead.",
      scope: "templates:write",
      input: duplicateInput,
      output: templateOutput,
      annotations: createHints,
      run: async ({ caller, input: { templateId: id } }) => ({
        ...(await templateEditor.duplicate(caller, id, actorOf(caller))),
      }),
    }),
    tool({
      name: "delete_template",
      title: "Move a template to the trash",
      description:
        "Moves a template to the trash: it is no longer listed and cannot be rendered, but nothing of it is lost: people " +
        "take it out again over REST, and create_template can clone it. " +
        "Documents that were made of it stay. Doing it twice is no error.",
      scope: "templates:write",
      input: deleteInput,
      output: templateOutput,
      annotations: trashHints,
      run: async ({ caller, input: { templateId: id } }) => ({
        ...(await templateEditor.trash(caller, id, actorOf(caller))),
      }),
    }),
    tool({
      name: "list_template_versions",
      title: "List a template's versions",
      description:
        "The versions that were made of a template, the newest first, without their definitions. Each is kept as it was: " +
        "get_template_version reads one, and render_document with templateVersion renders it.",
      scope: "templates:read",
      input: listVersionsInput,
      output: listVersionsOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId }, input }) {
        const all = await templates.versions(organizationId, input.templateId);
        const from = input.offset ?? 0;
        const until = from + (input.limit ?? defaultVersionLimit);
        const data = all.slice(from, until).map((version) => ({
          ...version,
          description: truncate(version.description),
        }));
        return { data, total: all.length };
      },
    }),
    tool({
      name: "get_template_version",
      title: "Read a version of a template",
      description:
        "One version of a template with its definition as it was. restore_template_version goes back to it.",
      scope: "templates:read",
      input: getVersionInput,
      output: getVersionOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId }, input }) {
        const version = await templates.version(
          organizationId,
          input.templateId,
          input.versionId,
        );
        const { definition, ...rest } = version;
        return {
          ...rest,
          ...definitionIfShort(definition, input.includeDefinition),
        };
      },
    }),
    contentTool({
      name: "restore_template_version",
      title: "Restore a version of a template",
      description:
        "Makes the definition of an earlier version the live one again; name, description and all versions stay as they are. " +
        "Look first with dryRun: true. Batches use the newest version, so set createVersion: true to have them use it, too.",
      scope: "templates:write",
      input: restoreVersionInput,
      annotations: trashHints,
      async run({ caller, input, signal }) {
        const { templateId, versionId, ...saving } = input;
        const { organizationId } = caller;
        const { definition, version } = await templates.version(
          organizationId,
          templateId,
          versionId,
        );
        const versionNote = input.createVersion
          ? (input.versionNote ?? `Restored from version ${version}.`)
          : input.versionNote;
        const edit = { ...saving, definition, versionNote };
        return editTemplate(services, { caller, signal }, templateId, edit);
      },
    }),
  ];
}
