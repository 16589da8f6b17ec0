import type { Actor, Organizations } from "../accounts/index.js";
import type { Assets } from "../assets/index.js";
import type { Compute } from "../compute/index.js";
import { resolvePartials } from "../definition/index.js";
import type { DraftPrinter, DraftProof } from "../documents/index.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  checkSource,
  createLibrary,
  placeProblems,
  toFileProblems,
} from "./check-template.js";
import { createFileProblem, type FileProblem } from "./source-text.js";
import type {
  AssetFile,
  PartialSource,
  Sample,
  TemplateSource,
} from "./template-folder.js";

export interface LocalServices {
  actor: Actor;
  organizations: Organizations;
  assets: Assets;
  compute: Compute;
  drafts: DraftPrinter;
}

/** A template with one of its samples. */
export interface LocalProof {
  /** Null when there are errors. */
  proof: DraftProof | null;
  problems: readonly FileProblem[];
}

/**
 * Checks and prints templates of files as a service does. Their images and fonts are assets of an organization that
 * exists for this alone.
 */
export class LocalPrinter {
  /** By the checksum and the name of each file. */
  readonly #assetIds = new Map<string, string>();
  #owner: Promise<{ organizationId: string; userId: string }> | null = null;

  constructor(private readonly services: LocalServices) {}

  /** Merges a template with a sample. @param cancelled ends it early */
  async proof(
    source: TemplateSource,
    partials: readonly PartialSource[],
    sample: Sample,
    now: Date,
    cancelled?: AbortSignal,
  ): Promise<LocalProof> {
    const { compute, drafts } = this.services;
    const owner = await this.#findOwner();
    const refused = await this.#upload(source);
    const checked = await checkSource(
      compute,
      source,
      partials,
      (asset) => this.#assetIds.get(keyOf(asset)) ?? "",
    );
    const problems = [...refused, ...checked.problems];
    if (checked.definition === null || refused.length > 0)
      return { proof: null, problems };
    const { templateType } = source;
    const library = createLibrary(partials, templateType);
    const definition = resolvePartials(checked.definition, library);
    try {
      const proof = await drafts.proof(
        owner.organizationId,
        { templateType, definition, data: sample.data, now },
        cancelled,
      );
      return { proof, problems };
    } catch (error) {
      cancelled?.throwIfAborted();
      return {
        proof: null,
        problems: [...problems, ...toFileProblems(source, error)],
      };
    }
  }

  /** What a document is missing, at the places in the files that say so. */
  async findFlaws(
    source: TemplateSource,
    proof: DraftProof,
  ): Promise<FileProblem[]> {
    return placeProblems(source, await proof.problems(), "warning");
  }

  /** @returns the problems of files that no service would take */
  async #upload(source: TemplateSource): Promise<FileProblem[]> {
    const { actor, assets } = this.services;
    const owner = await this.#findOwner();
    const problems: FileProblem[] = [];
    for (const asset of [...source.assets.values(), ...source.fonts]) {
      const { name, bytes, path } = asset;
      const key = keyOf(asset);
      if (this.#assetIds.has(key)) continue;
      try {
        const upload = { name, actor, bytes };
        const { id } = await assets.uploads.fromBytes(owner, upload);
        this.#assetIds.set(key, id);
      } catch (error) {
        if (!(error instanceof PlatenError)) throw error;
        const { message } = error;
        problems.push(createFileProblem({ file: path, text: "" }, { message }));
      }
    }
    return problems;
  }

  #findOwner() {
    this.#owner ??= this.#createOwner();
    return this.#owner;
  }

  async #createOwner() {
    const { organizations, actor } = this.services;
    const input = { name: "Local templates", plan: "pro" } as const;
    const { id } = await organizations.create(input, actor);
    return organizations.ownUser(id);
  }
}

function keyOf({ checksum, name }: AssetFile): string {
  return `${checksum} ${name}`;
}
