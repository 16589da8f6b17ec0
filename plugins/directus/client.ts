import * as z from "zod";
import {
  type FieldInfo,
  type FieldKind,
  type OutFile,
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type PlatformJsonRequest,
  type TableInfo,
} from "../../core/plugin-api/index.js";
import { findNameColumn } from "../lib/cells.js";
import { readReply, type ReplyErrors, sendForm } from "../lib/http-api.js";
import {
  createCredentialsSchema,
  type ServerCredentials,
  toUrl,
} from "../lib/rest-server.js";

export const credentialsSchema = createCredentialsSchema({
  en: {
    url: "The address of your Directus, such as https://directus.example.com.",
    tokenTitle: "Static token",
    token:
      "In Directus: User Directory, the user, Token, Generate Token, then save the user.",
  },
  de: {
    url: "Die Adresse Ihres Directus, zum Beispiel https://directus.example.com.",
    tokenTitle: "Statisches Token",
    token:
      "In Directus: „User Directory“, der Benutzer, „Token“, „Generate Token“. Speichern Sie dann den Benutzer.",
  },
  es: {
    url: "La dirección de su Directus, por ejemplo https://directus.example.com.",
    tokenTitle: "Token estático",
    token:
      "En Directus: «User Directory», el usuario, «Token», «Generate Token». Después, guarde el usuario.",
  },
  fr: {
    url: "L’adresse de votre Directus, par exemple https://directus.example.com.",
    tokenTitle: "Jeton statique",
    token:
      "Dans Directus : « User Directory », l’utilisateur, « Token », « Generate Token ». Enregistrez ensuite l’utilisateur.",
  },
});

export type DirectusContext = PlatformContext<ServerCredentials>;

/** Sends a request to the API. @returns its `data`. @throws PlatformError. */
export async function sendRequest<T>(
  context: DirectusContext,
  path: string,
  schema: z.ZodType<T>,
  request: PlatformJsonRequest = {},
): Promise<T> {
  const reply = await context.json(toUrl(context, path), {
    ...request,
    headers: createHeaders(context),
  });
  return readReply(reply, z.object({ data: schema }), replyErrors).data;
}

const fileSchema = z.object({ id: z.string() });

/** Uploads a file under its own name. @returns the id of the new file. */
export async function uploadFile(
  context: DirectusContext,
  file: OutFile,
  folder: string | null,
): Promise<string> {
  const form = new FormData();
  // Directus ignores what comes behind the file.
  if (folder !== null) form.append("folder", folder);
  const bytes = Buffer.from(await file.bytes());
  const blob = new Blob([bytes], { type: file.contentType });
  form.append("file", blob, file.filename);
  const reply = await sendForm(
    context,
    toUrl(context, "files"),
    form,
    createHeaders(context),
  );
  return readReply(reply, z.object({ data: fileSchema }), replyErrors).data.id;
}

/** Deletes files that no cell contains. Logs what fails, because another error is more important. */
export async function deleteFiles(
  context: DirectusContext,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  try {
    const { status } = await context.json(toUrl(context, "files"), {
      method: "DELETE",
      json: ids,
      headers: createHeaders(context),
    });
    if (status < 300) return;
    context.log.warn({ ids, status }, "could not delete uploaded files");
  } catch (error) {
    context.log.warn({ ids, err: error }, "could not delete uploaded files");
  }
}

function createHeaders({ credentials }: DirectusContext) {
  return { authorization: `Bearer ${credentials.token}` };
}

const errorReply = z.object({
  errors: z.array(z.object({ message: z.string() })).min(1),
});

const replyErrors: ReplyErrors = {
  refused: (status, body) => {
    const { data } = errorReply.safeParse(body);
    const message = data?.errors[0]?.message.replace(/\.$/, "");
    return new PlatformError(
      getPlatformErrorCode(status),
      message === undefined
        ? `Directus answered with status ${status}.`
        : `Directus refused the request: ${message}.`,
      { status },
    );
  },
  unexpected:
    "Directus sent an unexpected response. Check that the address is that of a Directus server of version 11 or later.",
};

const fieldSchema = z.object({
  collection: z.string(),
  field: z.string(),
  type: z.string(),
  schema: z.looseObject({ is_primary_key: z.boolean().optional() }).nullish(),
  meta: z
    .object({
      interface: z.string().nullish(),
      special: z.array(z.string()).nullish(),
      options: z.looseObject({ folder: z.string().nullish() }).nullish(),
    })
    .nullish(),
});
export type DirectusField = z.infer<typeof fieldSchema>;

const relationSchema = z.object({
  collection: z.string(),
  field: z.string(),
  /** Null for fields that refer to items of several collections. */
  related_collection: z.string().nullish(),
  meta: z
    .object({
      one_field: z.string().nullish(),
      junction_field: z.string().nullish(),
      sort_field: z.string().nullish(),
    })
    .nullish(),
});
type DirectusRelation = z.infer<typeof relationSchema>;

const collectionSchema = z.object({
  collection: z.string(),
  meta: z
    .object({
      singleton: z.boolean().nullish(),
      display_template: z.string().nullish(),
      archive_field: z.string().nullish(),
      archive_value: z.string().nullish(),
      archive_app_filter: z.boolean().nullish(),
    })
    .nullish(),
  /** Null for a folder of collections. */
  schema: z.unknown(),
});

/**
 * Where the value of a relational field is. `one`: the key of another item, `many`: the items that refer to this one,
 * `through`: items that a junction's field refers to, `file`: the key of a file, `files`: files of a junction's field.
 */
export type Relation =
  | { kind: "one" | "many"; tableId: string }
  | { kind: "through"; tableId: string; junctionField: string }
  | { kind: "file" }
  | {
      kind: "files";
      junction: string;
      junctionField: string;
      sortField: string | null;
    };

export interface Collection {
  name: string;
  key: DirectusField;
  /** Those that have values. */
  fields: readonly DirectusField[];
  relations: ReadonlyMap<string, Relation>;
}

/** Reads a collection whose items can be read and written. @throws PlatformError `forbidden` for an unknown one. */
export async function openCollection(
  context: DirectusContext,
  name: string,
): Promise<Collection> {
  const [fields, relations] = await Promise.all([
    sendRequest(
      context,
      `fields/${encodeURIComponent(name)}`,
      z.array(fieldSchema),
    ),
    sendRequest(context, "relations", z.array(relationSchema)),
  ]);
  const collection = toCollection(name, fields, relations);
  if (collection) return collection;
  throw new PlatformError(
    "unsupported",
    `The token cannot read the primary key of the collection "${name}", which Platen needs to identify its items.`,
  );
}

/** Null without a primary key. */
function toCollection(
  name: string,
  ofAll: readonly DirectusField[],
  allRelations: readonly DirectusRelation[],
): Collection | null {
  const ownFields = ofAll.filter(({ collection }) => collection === name);
  const key = ownFields.find(({ schema }) => schema?.is_primary_key === true);
  if (!key) return null;
  const relations = new Map<string, Relation>();
  for (const field of ownFields) {
    const relation = findRelation(field, allRelations);
    if (relation) relations.set(field.field, relation);
  }
  // Others of the type alias are notices, groups, and relations to several collections.
  const fields = ownFields.filter(
    ({ field, type }) => type !== "alias" || relations.has(field),
  );
  return { name, key, fields, relations };
}

const filesCollection = "directus_files";

function findRelation(
  { collection, field, type, meta }: DirectusField,
  all: readonly DirectusRelation[],
): Relation | null {
  if (type !== "alias") {
    const tableId = all.find(
      (relation) =>
        relation.collection === collection && relation.field === field,
    )?.related_collection;
    if (!tableId) return null;
    if (tableId === filesCollection) return { kind: "file" };
    return isSystem(tableId) ? null : { kind: "one", tableId };
  }
  const incoming = all.find(
    (relation) =>
      relation.related_collection === collection &&
      relation.meta?.one_field === field,
  );
  if (!incoming) return null;
  const { collection: junction, meta: incomingMeta } = incoming;
  const junctionField = incomingMeta?.junction_field;
  // Translations are in the junction itself, which refers to a language.
  if (!junctionField || meta?.special?.includes("translations") === true)
    return isSystem(junction) ? null : { kind: "many", tableId: junction };
  const tableId = all.find(
    (relation) =>
      relation.collection === junction && relation.field === junctionField,
  )?.related_collection;
  if (tableId === filesCollection)
    return {
      kind: "files",
      junction,
      junctionField,
      sortField: incomingMeta?.sort_field ?? null,
    };
  return !tableId || isSystem(tableId)
    ? null
    : { kind: "through", tableId, junctionField };
}

function isSystem(collection: string): boolean {
  return collection.startsWith("directus_");
}

const permissionSchema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({ access: z.string(), fields: z.array(z.string()).optional() }),
  ),
);

/** What the token may do, by collection and action. */
export type Permissions = z.infer<typeof permissionSchema>;

export function readPermissions(
  context: DirectusContext,
): Promise<Permissions> {
  return sendRequest(context, "permissions/me", permissionSchema);
}

/** Whether the token may do this with items of the collection, or with some of them. */
export function isAllowed(
  permissions: Permissions,
  collection: string,
  action: "create" | "read" | "update",
  field?: string,
): boolean {
  const { access = "none", fields = [] } =
    permissions[collection]?.[action] ?? {};
  if (access === "none") return false;
  return field === undefined || fields.includes("*") || fields.includes(field);
}

const presetSchema = z.object({
  id: z.union([z.number(), z.string()]),
  bookmark: z.string(),
  collection: z.string(),
});

/** Describes the collections that the token can read, with the bookmarks that its user sees. */
export async function describe(context: DirectusContext): Promise<TableInfo[]> {
  const query = new URLSearchParams({
    fields: "id,bookmark,collection",
    filter: JSON.stringify({ bookmark: { _nnull: true } }),
    limit: "-1",
  });
  const [collections, fields, relations, permissions, presets] =
    await Promise.all([
      sendRequest(context, "collections", z.array(collectionSchema)),
      sendRequest(context, "fields", z.array(fieldSchema)),
      sendRequest(context, "relations", z.array(relationSchema)),
      readPermissions(context),
      sendRequest(
        context,
        `presets?${query.toString()}`,
        z.array(presetSchema),
      ).catch((error: unknown) => {
        // Only users with access to the app have bookmarks.
        if (error instanceof PlatformError && error.code === "forbidden")
          return [];
        throw error;
      }),
    ]);
  return collections.flatMap(({ collection: name, meta, schema }) => {
    const isTable = schema !== null && meta?.singleton !== true;
    const collection =
      isTable && !isSystem(name) ? toCollection(name, fields, relations) : null;
    if (!collection) return [];
    const infos = collection.fields.map((field) =>
      toFieldInfo(collection, field, permissions),
    );
    const named = /\{\{\s*(\w+)\s*\}\}/.exec(meta?.display_template ?? "")?.[1];
    return [
      {
        id: name,
        name,
        primaryFieldId: infos.some(({ id }) => id === named)
          ? String(named)
          : (findNameColumn(infos) ?? collection.key.field),
        fields: infos,
        views: presets
          .filter((preset) => preset.collection === name)
          .map(({ id, bookmark }) => ({ id: String(id), name: bookmark })),
      },
    ];
  });
}

function toFieldInfo(
  { name, relations }: Collection,
  field: DirectusField,
  permissions: Permissions,
): FieldInfo {
  const { field: id, type } = field;
  const relation = relations.get(id);
  const info = { id, name: id, kind: getKind(field, relation), native: type };
  if (!relation) return { ...info, writable: false };
  if ("tableId" in relation) {
    const { tableId, kind } = relation;
    const link = { tableId, many: kind !== "one" };
    return { ...info, writable: false, link };
  }
  const writable =
    isAllowed(permissions, name, "update", id) &&
    isAllowed(permissions, filesCollection, "create") &&
    (relation.kind === "file" ||
      isAllowed(permissions, relation.junction, "create"));
  if (relation.kind === "files") return { ...info, native: "Files", writable };
  const isImage = field.meta?.interface === "file-image";
  const native = isImage ? "Image" : "File";
  return { ...info, native, writable, maxFiles: 1 };
}

/** Other types, such as geometries and hashes, are `other`. */
const fieldKinds: Readonly<Record<string, FieldKind>> = {
  string: "text",
  text: "text",
  uuid: "text",
  time: "text",
  integer: "number",
  bigInteger: "number",
  float: "number",
  decimal: "number",
  boolean: "boolean",
  date: "date",
  dateTime: "date",
  timestamp: "date",
  json: "json",
  csv: "select",
};

export function getKind(
  { type, meta }: DirectusField,
  relation: Relation | undefined,
): FieldKind {
  if (relation) return "tableId" in relation ? "link" : "attachment";
  return meta?.interface?.startsWith("select-") === true && type !== "boolean"
    ? "select"
    : (fieldKinds[type] ?? "other");
}

/** A collection's setting for items that people have archived, which the app does not show. */
export async function readArchiveFilter(
  context: DirectusContext,
  name: string,
): Promise<object[]> {
  const { meta } = await sendRequest(
    context,
    `collections/${encodeURIComponent(name)}`,
    collectionSchema,
  );
  const { archive_field: field, archive_value: value } = meta ?? {};
  if (!field || !value || meta?.archive_app_filter !== true) return [];
  return [
    { _or: [{ [field]: { _neq: value } }, { [field]: { _null: true } }] },
  ];
}
