import type { AppFile, BlueprintCard } from "../../plugin-api/index.js";
import type { DraftPrinter } from "../../documents/index.js";
import { blueprint, blueprints } from "../index.js";

const weekSeconds = 7 * 24 * 3600;
/** Twice as wide as a gallery shows it, for sharp screens. */
const widthPx = 560;

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

  /** Its first page with its sample, webp. @throws PlatenError `not_found`, or as a render. */
  picture(organizationId: string, wanted: string): Promise<AppFile> {
    const { id, templateType, definition } = blueprint(wanted);
    const known = this.#pictures.get(id);
    if (known) return known;
    const order = { templateType, definition, format: "png" } as const;
    const drawn = this.printer.print(organizationId, order).then(small);
    this.#pictures.set(id, drawn);
    // A failure is not kept: the next who asks tries again.
    drawn.catch(() => this.#pictures.delete(id));
    return drawn;
  }
}

async function small({ bytes }: AppFile): Promise<AppFile> {
  const { default: sharp } = await import("sharp");
  const picture = sharp(bytes).resize({ width: widthPx }).webp();
  return {
    bytes: await picture.toBuffer(),
    mimeType: "image/webp",
    maxAgeSeconds: weekSeconds,
  };
}
