import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  findForUpdate,
  Folder,
  isId,
  Organization,
} from "../storage/database/index.js";
import { noFolder } from "./require-folder.js";

/** Folders inside of each other: more are lost rather than found. */
const DEEPEST = 10;

/** While one changes an organization's tree, nobody else does: two moves at once could make a circle of it. */
export async function lockTree(
  tx: EntityManager,
  organizationId: string,
): Promise<void> {
  await findForUpdate(tx, Organization, { id: organizationId });
}

/**
 * Whether a folder may stand there; wants the tree locked.
 * @param folder null: a new one.
 * @throws PlatenError `invalid_request` for a parent that is not there, lies in the folder itself, or lies too deep.
 */
export async function checkPlace(
  tx: EntityManager,
  { organizationId, kind }: Pick<Folder, "organizationId" | "kind">,
  parentId: string,
  folder: Pick<Folder, "id"> | null,
): Promise<void> {
  if (!isId(parentId)) throw noFolder("$.parentId", kind);
  const parents = await tree(tx, organizationId, kind);
  if (!parents.has(parentId)) throw noFolder("$.parentId", kind);
  const above = [...upwards(parents, parentId)];
  if (folder && above.includes(folder.id))
    throw refusal("lies in the folder itself", "Move it to another folder.");
  const below = folder ? heightOf(parents, folder.id) : 1;
  if (above.length + below > DEEPEST)
    throw refusal(
      `would make more than ${DEEPEST} folders inside of each other`,
      "Choose a folder that is nearer to the top.",
    );
}

type Parents = ReadonlyMap<string, string | null>;

async function tree(
  tx: EntityManager,
  organizationId: string,
  kind: Folder["kind"],
): Promise<Parents> {
  const rows = await tx.find(Folder, {
    where: { organizationId, kind },
    select: { id: true, parentId: true },
  });
  return new Map(rows.map(({ id, parentId }) => [id, parentId]));
}

/** The folder and all above it. */
function* upwards(parents: Parents, from: string): Generator<string> {
  for (let id: string | null = from; id !== null; id = parents.get(id) ?? null)
    yield id;
}

/** How many folders stand inside of each other from this one down, itself counted. */
function heightOf(parents: Parents, id: string): number {
  const heights = [...parents.keys()].map((one) =>
    [...upwards(parents, one)].indexOf(id),
  );
  return Math.max(...heights) + 1;
}

function refusal(message: string, hint: string): PlatenError {
  return new PlatenError("invalid_request", "The folder cannot stand there.", {
    problems: [{ path: "$.parentId", code: "folder_place", message, hint }],
  });
}
