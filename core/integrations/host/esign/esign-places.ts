import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** What a provider without a server of its own has inside of the service, for one connection. */
export interface ConnectionPlace {
  /** Made when it is asked for. */
  folder(): Promise<string>;
  pageAddress(path: string): string;
}

export interface EsignPlacesParts {
  /** Holds a folder for each connection that asks for one. */
  folder: string;
  /** Under which people reach the service. */
  baseUrl: () => string;
}

/** Where providers keep their things, and where their pages are. */
export class EsignPlaces {
  constructor(private readonly parts: EsignPlacesParts) {}

  of(connectionId: string): ConnectionPlace {
    const { folder, baseUrl } = this.parts;
    return {
      folder: async () => {
        const own = join(folder, connectionId);
        await mkdir(own, { recursive: true, mode: 0o700 });
        return own;
      },
      pageAddress: (path) =>
        `${baseUrl().replace(/\/$/, "")}/esign/${connectionId}/${path}`,
    };
  }
}
