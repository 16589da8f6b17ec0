import { z } from "zod";

const peer = /^([\w-]{1,32})=(https?:\/\/[^\s=]+?)\/*$/;

/** Reads `a=http://10.0.0.1:3000,b=http://10.0.0.2:3000`: the names of instances, and where others reach them. */
export const peers = z
  .string()
  .prefault("")
  .transform((text, context) => {
    const words = text.split(",").map((word) => word.trim());
    const found = words
      .filter((word) => word !== "")
      .map((word) => peer.exec(word));
    const named = found.flatMap((match): [string, string][] =>
      match?.[1] && match[2] && URL.canParse(match[2])
        ? [[match[1], match[2]]]
        : [],
    );
    const urls = new Map(named);
    if (named.length === found.length && urls.size === named.length)
      return urls;
    context.addIssue({ code: "custom", message: "not a list of instances" });
    return z.NEVER;
  });
