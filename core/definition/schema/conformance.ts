import { z } from "zod";
import { CONFORMANCES, type Conformance } from "./known-values.js";

const ACCESSIBLE: Conformance = "pdf/ua-1";

export const conformanceListSchema = z
  .array(z.enum(CONFORMANCES))
  .max(2)
  .refine(
    (list) => list.filter((standard) => standard !== ACCESSIBLE).length <= 1,
    "must contain at most one archival standard; choose the strictest that you need",
  )
  .refine(
    (list) => new Set(list).size === list.length,
    "must not contain a standard twice",
  );

export const conformanceSchema = z
  .union(
    [z.enum(CONFORMANCES), conformanceListSchema],
    `one of ${CONFORMANCES.join(", ")}, or a list of an archival one and ${ACCESSIBLE}`,
  )
  .meta({
    id: "PdfConformance",
    description: `A standard that the PDF conforms to, or an archival one together with "${ACCESSIBLE}"; an empty list for none.`,
  });

type ConformanceOption = z.infer<typeof conformanceSchema>;

export function listConformance(
  option: ConformanceOption = [],
): readonly Conformance[] {
  return typeof option === "string" ? [option] : option;
}

/** The standard that requires a structure tree, if one of them does. */
export function findTagged(list: readonly Conformance[]): Conformance | null {
  return (
    list.find(
      (standard) => standard === ACCESSIBLE || standard.endsWith("a"),
    ) ?? null
  );
}

/** The options of a PDF that some standards, or a digital signature, do not allow. */
interface RestrictedOptions {
  conformance?: ConformanceOption | undefined;
  tagged?: boolean | undefined;
  before?: readonly unknown[] | undefined;
  after?: readonly unknown[] | undefined;
  attachments?: readonly unknown[] | undefined;
  password?: unknown;
  sign?: boolean | undefined;
}

export interface ConformanceConflict {
  option: Exclude<keyof RestrictedOptions, "conformance" | "sign">;
  /** Completes a sentence that begins with the option. */
  message: string;
}

/** The options that cannot be combined with the standards that are asked for, or with a digital signature. */
export function findConformanceConflicts(
  options: RestrictedOptions,
): ConformanceConflict[] {
  const list = listConformance(options.conformance);
  const [first] = list;
  const archival = list.find((standard) => standard !== ACCESSIBLE);
  const tagged = findTagged(list);
  const conflicts: ConformanceConflict[] = [];
  if (archival && options.password !== undefined)
    conflicts.push({
      option: "password",
      message: `cannot be combined with ${archival}, since an archival PDF must not be encrypted; leave one of them out`,
    });
  else if (options.sign === true && options.password !== undefined)
    conflicts.push({
      option: "password",
      message:
        "cannot be combined with a digital signature; set sign to false, or leave the password out",
    });
  if (archival?.startsWith("pdf/a-2") && options.attachments?.length)
    conflicts.push({
      option: "attachments",
      message: `cannot be combined with ${archival}; use ${archival.replace("2", "3")}, which allows attached files of any type`,
    });
  for (const option of ["before", "after"] as const)
    if (first && options[option]?.length)
      conflicts.push({
        option,
        message: `cannot be combined with ${first}, since it is not known whether a joined PDF conforms to it; leave one of them out`,
      });
  if (tagged && options.tagged === false)
    conflicts.push({
      option: "tagged",
      message: `must not be false with ${tagged}, which requires tags`,
    });
  return conflicts;
}
