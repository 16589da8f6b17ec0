import type { RequestOptions } from "./http.js";

type Options = Pick<RequestOptions, "signal" | "timeout" | "retries">;

export interface FileDetails {
  /** What the file is: `pdf`, `html`, `image`, `mjml`, `xml`, `signed`, `audit`, … */
  label: string;
  mimeType: string;
  /** The download link, which needs no key; empty for content that came with the response. */
  url: string;
  /** null when it is known only once the file was downloaded. */
  sizeBytes: number | null;
  /** `sha256:` and 64 hexadecimal digits; null when there is none. */
  checksum: string | null;
  /** null when the service did not name it. */
  filename: string | null;
}

/** A file of the service. Nothing is downloaded until its content is asked for. */
export class PlatenFile implements FileDetails {
  readonly label: string;
  readonly mimeType: string;
  readonly url: string;
  readonly sizeBytes: number | null;
  readonly checksum: string | null;
  readonly filename: string | null;
  readonly #open: (options: Options) => Promise<Response>;

  /** @param open begins the download */
  constructor(
    details: FileDetails,
    open: (options: Options) => Promise<Response>,
  ) {
    this.label = details.label;
    this.mimeType = details.mimeType;
    this.url = details.url;
    this.sizeBytes = details.sizeBytes;
    this.checksum = details.checksum;
    this.filename = details.filename;
    this.#open = open;
  }

  /** The content as it arrives, for large files. */
  async stream(options: Options = {}): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#open(options);
    return body ?? new Blob([]).stream();
  }

  async bytes(options: Options = {}): Promise<Uint8Array> {
    const response = await this.#open(options);
    return new Uint8Array(await response.arrayBuffer());
  }

  async text(options: Options = {}): Promise<string> {
    return (await this.#open(options)).text();
  }

  /**
   * Streams the content into a file, which is there once it is complete.
   * @throws TypeError on runtimes without a file system
   */
  async save(path: string, options: Options = {}): Promise<void> {
    const files = getFileSystem();
    const draft = `${path}.part`;
    try {
      await files.writeFile(draft, await this.stream(options));
      await files.rename(draft, path);
    } catch (error) {
      await files.rm(draft, { force: true });
      throw error;
    }
  }
}

interface FileSystem {
  writeFile(path: string, content: ReadableStream<Uint8Array>): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** Of Node, Deno and Bun, without an import that edge runtimes could not resolve. */
function getFileSystem(): FileSystem {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): FileSystem | undefined };
  };
  const files = process?.getBuiltinModule?.("node:fs/promises");
  if (files) return files;
  throw new TypeError(
    "This runtime has no file system to save files to. Use stream() or bytes().",
  );
}
