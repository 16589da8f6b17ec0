// The parts that are used, which the package's types do not name. Texts contain bytes, one per character.

declare module "node-forge/lib/rc2.js" {
  import type { ByteBuffer } from "node-forge/lib/util.js";

  const rc2: {
    createDecryptionCipher(
      key: string,
      bits: number,
    ): {
      start(iv: string): void;
      update(encrypted: ByteBuffer): void;
      finish(): boolean;
      output: ByteBuffer;
    };
  };
  export default rc2;
}

declare module "node-forge/lib/util.js" {
  export interface ByteBuffer {
    getBytes(): string;
  }

  const util: { createBuffer(bytes: string): ByteBuffer };
  export default util;
}
