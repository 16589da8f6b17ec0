import { useEffect, useState } from "preact/hooks";

/** An email, as its reader's window shows it. */
export function EmailPrint({ file, width }: { file: Blob; width: number }) {
  const [source, setSource] = useState("");
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") setSource(reader.result);
    });
    // The page may load data: pictures, and no blobs.
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  if (source === "") return null;
  return (
    <img
      class="email-print"
      src={source}
      alt="The email as it will be read"
      style={{ maxWidth: `${width}px` }}
    />
  );
}
