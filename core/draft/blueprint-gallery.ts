import type { AppFile, BlueprintCard } from "../contract/index.js";
import type { DraftPrinter } from "../document/index.js";
import { blueprint, blueprints } from "../template/index.js";

const weekSeconds = 7 * 24 * 3600;

/** What templates can begin as, with a picture of each. */
export class BlueprintGallery {
  /** By id. They are few and never change, so each is drawn once. */
  readonly #pictures = new Map<string, Promise<AppFile>>();

  constructor(private readonly printer: DraftPrinter) {}

  /** Documents before emails. */
  cards(): BlueprintCard[] {
    return blueprints().map(({ id, name, description, templateType }) => ({
      id,
      name,
      description,
      templateType,
    }));
  }

  /** Its first page with its sample, png. @throws PlatenError `not_found`, or as a render. */
  picture(organizationId: string, wanted: string): Promise<AppFile> {
    const { id, templateType, definition } = blueprint(wanted);
    const known = this.#pictures.get(id);
    if (known) return known;
    const order = { templateType, definition, format: "png" } as const;
    const drawn = this.printer
      .print(organizationId, order)
      .then((file) => ({ ...file, maxAgeSeconds: weekSeconds }));
    this.#pictures.set(id, drawn);
    // A failure is not kept: the next who asks tries again.
    drawn.catch(() => this.#pictures.delete(id));
    return drawn;
  }
}
