import { LRUCache } from "lru-cache";
import {
  type DeliveryFile,
  type DeliveryPlugin,
  type DeliveryReceipt,
  type DeliveryRequest,
  type PlatformContext,
  PlatformError,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { splitFolder } from "../lib/folders.js";
import {
  type AccessTokens,
  accessAlternatives,
  accessProperties,
  addressProperties,
  authorizeWithGoogle,
  checkDriveFolder,
  describeFolder,
  driveBuckets,
  driveScope,
  getUserKey,
  type GoogleAccess,
  GoogleClient,
  uploadToDrive,
} from "../lib/google.js";
import { targetTranslations, translations } from "./translations.js";

export interface DriveCredentials extends GoogleAccess {
  /** For deliveries that name none; its id or address. */
  folderId?: string;
}

type Context = PlatformContext<DriveCredentials>;

/** Saves a request for a token in most calls. */
const tokens: AccessTokens = new LRUCache({ max: 500 });

/** Files in Google Drive. Those of Platen that have the same name in the same folder get a new version. */
export const googleDrivePlugin: DeliveryPlugin<DriveCredentials> = {
  meta: createMeta("delivery", "google-drive", "Google Drive"),
  credentials: {
    schema: {
      type: "object",
      additionalProperties: false,
      anyOf: accessAlternatives,
      translations,
      properties: {
        ...accessProperties,
        folderId: {
          type: "string",
          title: "Drive folder",
          minLength: 1,
          maxLength: 500,
          description:
            "Its address, or the last part of it. A service account needs one in a Shared Drive. Default: the top of the user's Drive.",
        },
        ...addressProperties,
      },
    },
  },
  target: {
    schema: {
      type: "object",
      additionalProperties: false,
      translations: targetTranslations,
      properties: {
        folderId: {
          type: "string",
          title: "Drive folder",
          maxLength: 2000,
          description:
            "Its address, or the last part of it. Default: the folder of the connection.",
        },
        folder: {
          type: "string",
          title: "Folder in it",
          maxLength: 2000,
          description:
            "Such as invoices/{{root.year}}. It is created if it is missing; a file of the same name that Platen has put there gets a new version.",
        },
      },
    },
  },
  capabilities: { maxBytes: 1_000_000_000, repeatable: true, message: false },
  rate: {
    key: getUserKey,
    buckets: driveBuckets,
    maxInFlight: 4,
    cooldownMs: 15_000,
  },
  authorization: authorizeWithGoogle(connect),
  async check(context) {
    const client = connect(context);
    const { user } = await client.send({ what: "Google Drive" }, () =>
      client.drive.about.get({ fields: "user(emailAddress)" }),
    );
    const account = user?.emailAddress ?? client.account;
    const { folderId } = context.credentials;
    const warnings = [
      ...client.listMissingRights(),
      ...(await checkDriveFolder(client, parseFolderId(folderId))),
    ];
    return { ...(account !== null && { account }), warnings };
  },
  async deliver(context, request) {
    try {
      return await deliver(context, request);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== "not_found")
        throw error;
      // A known folder may have been deleted meanwhile.
      knownFolders.clear();
      return deliver(context, request);
    }
  },
};

function connect(context: Context): GoogleClient<DriveCredentials> {
  return new GoogleClient(context, tokens, [driveScope]);
}

async function deliver(
  context: Context,
  { id: deliveryId, target, files }: DeliveryRequest,
): Promise<DeliveryReceipt> {
  const client = connect(context);
  const folderId =
    parseFolderId(target.folderId) ??
    parseFolderId(context.credentials.folderId);
  let folder = await findRoot(client, folderId);
  for (const name of splitFolder(target.folder))
    folder = await findFolder(client, folder, name);
  const uploaded = [];
  for (const file of files)
    uploaded.push(await upload(client, folder, file, deliveryId));
  const warnings = uploaded.flatMap(({ warning }) => warning ?? []);
  const [first] = uploaded;
  const url =
    uploaded.length === 1
      ? first?.webViewLink
      : `https://drive.google.com/drive/folders/${folder.id}`;
  return {
    id: uploaded.map(({ id }) => id).join(", "),
    ...(url !== undefined && { url }),
    ...(warnings.length > 0 && { warnings }),
  };
}

const folderType = "application/vnd.google-apps.folder";
const folderAddress =
  /^https:\/\/drive\.google\.com\/(?:.*\/)?folders\/([\w-]+)/;

/** The id in a folder's address, or the text itself; undefined for an empty one. @throws PlatformError `invalid_field`. */
function parseFolderId(text: unknown): string | undefined {
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const id = folderAddress.exec(text.trim())?.[1] ?? text.trim();
  if (/^[\w-]+$/.test(id)) return id;
  throw new PlatformError(
    "invalid_field",
    `\`folderId\` is neither the address of a Drive folder nor its last part: ${JSON.stringify(id.slice(0, 100))}. Open the folder in Drive and copy its address.`,
    { fieldId: "folderId" },
  );
}

interface Folder {
  id: string;
  /** Of a folder in a Shared Drive. */
  driveId?: string;
}

/** By user and place, so that deliveries at the same time create a folder once. */
const knownFolders = new LRUCache<string, Promise<Folder>>({
  max: 5000,
  ttl: 60_000,
});

function remember(
  { context: { credentials } }: GoogleClient,
  place: readonly string[],
  find: () => Promise<Folder>,
): Promise<Folder> {
  const key = JSON.stringify([getUserKey(credentials), ...place]);
  const cached = knownFolders.get(key);
  if (cached) return cached;
  const folder = find();
  knownFolders.set(key, folder);
  folder.catch(() => knownFolders.delete(key));
  return folder;
}

/** @throws PlatformError when files cannot be added to it. */
function findRoot(client: GoogleClient, fileId = "root"): Promise<Folder> {
  if (fileId === "root") return Promise.resolve({ id: fileId });
  return remember(client, [fileId], async () => {
    const what = describeFolder(fileId);
    const { mimeType, driveId, capabilities } = await client.send(
      { what },
      () =>
        client.drive.files.get({
          fileId,
          supportsAllDrives: true,
          fields: "mimeType,driveId,capabilities(canAddChildren)",
        }),
    );
    if (mimeType !== folderType)
      throw new PlatformError(
        "invalid_field",
        `${what} is a file. Set folderId to a folder.`,
        { fieldId: "folderId" },
      );
    if (capabilities?.canAddChildren === false)
      throw new PlatformError(
        "forbidden",
        `files cannot be added to ${what}. Share it with ${client.account ?? "the user of the connection"} as a contributor or an editor.`,
      );
    return { id: fileId, ...(typeof driveId === "string" && { driveId }) };
  });
}

/** Creates it if it is missing. */
function findFolder(
  client: GoogleClient,
  parent: Folder,
  name: string,
): Promise<Folder> {
  return remember(client, [parent.id, name], async () => {
    const { driveId } = parent;
    const find = async () => {
      const condition = `mimeType = '${folderType}'`;
      return (await list(client, parent, name, condition))[0]?.id;
    };
    let id = await find();
    if (id === undefined) {
      const what = describeFolder(parent.id);
      const created = await client.send({ what }, () =>
        client.drive.files.create({
          supportsAllDrives: true,
          fields: "id",
          requestBody: { name, mimeType: folderType, parents: [parent.id] },
        }),
      );
      const ownId = created.id ?? "";
      // Drive has any number of folders of one name: the first counts, if another process has created one too.
      id = (await find()) ?? ownId;
      // An empty folder that cannot be removed does no harm.
      if (id !== ownId) await moveToTrash(client, what, ownId);
    }
    return { id, ...(driveId !== undefined && { driveId }) };
  });
}

/** Marks the files of Platen, so that no other is replaced. Only the same client sees it. */
const ownProperties = { platen: "delivery" };

interface UploadedFile {
  id: string;
  webViewLink?: string | undefined;
  warning?: string;
}

/** Replaces the content of an own file of that name, or adds one. */
async function upload(
  client: GoogleClient,
  folder: Folder,
  file: DeliveryFile,
  deliveryId: string,
): Promise<UploadedFile> {
  const { filename } = file;
  const find = () =>
    list(
      client,
      folder,
      filename,
      `appProperties has { key='platen' and value='${ownProperties.platen}' }`,
    );
  let existing = await find();
  if (existing.length === 0) {
    const created = await uploadToDrive(client, file, {
      folderId: folder.id,
      appProperties: { ...ownProperties, delivery: deliveryId },
    });
    existing = await find();
    if ((existing[0]?.id ?? created.id) === created.id) return created;
  }
  // The first counts. If another process has created it at the same time, the one of this delivery goes, once the content is there.
  const [first, ...others] = existing;
  const uploaded = await uploadToDrive(client, file, {
    fileId: first?.id ?? "",
  });
  const duplicates = others.filter(({ delivery }) => delivery === deliveryId);
  const what = `the file "${filename}"`;
  for (const { id } of duplicates)
    if (!(await moveToTrash(client, what, id)))
      return {
        ...uploaded,
        warning: `Another delivery created "${filename}" at the same time, so the folder has two files of this name, and the account of the connection may not remove one. Delete the newer one; the other has the content.`,
      };
  return uploaded;
}

/** @returns whether it may be removed: who may add files to a Shared Drive may not always remove them. */
async function moveToTrash(
  client: GoogleClient,
  what: string,
  fileId: string,
): Promise<boolean> {
  try {
    await client.send({ what }, () =>
      client.drive.files.update({
        fileId,
        supportsAllDrives: true,
        fields: "id",
        requestBody: { trashed: true },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof PlatformError && error.code === "forbidden")
      return false;
    throw error;
  }
}

/** What a folder has of that name, the first created first, in an order that is the same for all processes. */
async function list(
  client: GoogleClient,
  { id: parent, driveId }: Folder,
  name: string,
  condition: string,
): Promise<FoundFile[]> {
  const what = describeFolder(parent);
  const { files = [] } = await client.send({ what }, () =>
    client.drive.files.list({
      q: `name = ${quote(name)} and ${quote(parent)} in parents and trashed = false and ${condition}`,
      orderBy: "createdTime",
      pageSize: 10,
      fields: "files(id,createdTime,appProperties)",
      supportsAllDrives: true,
      includeItemsFromAllDrives: true,
      ...(driveId !== undefined && { corpora: "drive", driveId }),
    }),
  );
  return files
    .flatMap(({ id, createdTime, appProperties }) => {
      const order = `${createdTime ?? ""} ${id ?? ""}`;
      return id ? [{ id, order, delivery: appProperties?.["delivery"] }] : [];
    })
    .toSorted((file, other) => (file.order < other.order ? -1 : 1));
}

interface FoundFile {
  id: string;
  /** Of the delivery that created a file of Platen. */
  delivery: string | undefined;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
