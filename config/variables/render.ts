import { availableParallelism } from "node:os";
import {
  choice,
  MEGABYTE,
  optionalText,
  type Variable,
  whole,
} from "../variable.js";

/** The browser, and how much it is asked for. */
export const renderVariables = {
  PUPPETEER_EXECUTABLE_PATH: {
    schema: optionalText,
    expected: "the path of a Chromium to print with",
    example: "/usr/bin/chromium",
  },
  PLATEN_CHROMIUM_SANDBOX: {
    schema: choice(["auto", "on", "off"], "auto"),
    expected: "auto, on or off",
    example: "auto",
  },
  PLATEN_RENDER_PAGES: {
    schema: whole(availableParallelism(), 1, 64),
    expected: "how many documents are printed at once, 1 to 64",
    example: "4",
  },
  PLATEN_RENDER_ISOLATION: {
    schema: choice(["shared", "organization", "document"], "shared"),
    expected: "shared, organization or document",
    example: "shared",
  },
  PLATEN_RENDER_PAGE_MB: {
    schema: whole(4096, 256, 65_536),
    expected: "megabytes from 256 to 65536",
    example: "4096",
  },
  PLATEN_RENDER_TIMEOUT: {
    schema: whole(60, 1, 3600).transform((seconds) => seconds * 1000),
    expected: "seconds from 1 to 3600",
    example: "60",
  },
  PLATEN_MAX_PRINT_BYTES: {
    schema: whole(8 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "8388608",
  },
} satisfies Record<string, Variable<unknown>>;
