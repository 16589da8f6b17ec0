import { fileURLToPath } from "node:url";
import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";

// A process that makes the invoice each time it is sent the record, and answers with its size in bytes.

const workspace = fileURLToPath(new URL(".", import.meta.url));
const mainFilePath = fileURLToPath(new URL("invoice.typ", import.meta.url));
const inter = fileURLToPath(new URL("../../../fonts/inter", import.meta.url));
const compiler = NodeCompiler.create({
  workspace,
  fontArgs: [{ fontPaths: [inter] }],
});

let made = 0;
process.on("message", (record) => {
  made += 1;
  // Typst keeps what it has laid out, so the same record again would cost almost nothing.
  const number = `${record.number}-${made}`;
  const inputs = { record: JSON.stringify({ ...record, number }) };
  const pdf = compiler.pdf({ mainFilePath, inputs });
  compiler.evictCache(10); // of what earlier records left
  process.send(pdf.length);
});
