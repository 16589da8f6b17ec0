import "pdfjs-dist/legacy/build/pdf.worker.mjs";

export {
  getDocument,
  PermissionFlag,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";

// It gives the process a `self`, as a browser has. Other libraries tell by that where they run (Airtable's chooses its
// `fetch`), and the files of tests that come next in the same process are not to meet it.
Reflect.deleteProperty(globalThis, "self");
