import { choice, MEGABYTE, type Variable, whole } from "../variable.js";
import { networks } from "../networks.js";

/** What the service calls by itself, and the images and fonts that documents bring along. */
export const assetVariables = {
  PLATEN_ALLOW_PRIVATE_NETWORKS: {
    schema: networks,
    expected: "networks as address/bits, separated by commas",
    example: "10.20.0.0/16,fd12:3456::/48",
  },
  PLATEN_FETCH_ASSETS: {
    schema: choice(["on", "off"], "on"),
    expected: "on or off",
    example: "on",
  },
  PLATEN_ASSET_MAX_BYTES: {
    schema: whole(10 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "10485760",
  },
  PLATEN_ASSET_TOTAL_BYTES: {
    schema: whole(50 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "52428800",
  },
  PLATEN_ASSET_MAX_PIXELS: {
    schema: whole(50_000_000, 1, 1_000_000_000),
    expected: "pixels from 1 to 1000000000",
    example: "50000000",
  },
  PLATEN_ASSET_MAX_COUNT: {
    schema: whole(100, 0, 10_000),
    expected:
      "how many images of other machines a document may have, 0 to 10000",
    example: "100",
  },
  PLATEN_ASSET_TIMEOUT: {
    schema: whole(10, 1, 600).transform((seconds) => seconds * 1000),
    expected: "seconds from 1 to 600",
    example: "10",
  },
  PLATEN_ASSET_CACHE_BYTES: {
    schema: whole(64 * MEGABYTE, 0, 64 * 1024 * MEGABYTE),
    expected: "bytes from 0 to 68719476736",
    example: "67108864",
  },
  PLATEN_VIDEO_MAX_BYTES: {
    schema: whole(200 * MEGABYTE, 1024, 64 * 1024 * MEGABYTE),
    expected: "bytes from 1024 to 68719476736",
    example: "209715200",
  },
  PLATEN_FONT_MAX_BYTES: {
    schema: whole(16 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "16777216",
  },
  PLATEN_PDF_MAX_BYTES: {
    schema: whole(50 * MEGABYTE, 1024, 1024 * MEGABYTE),
    expected: "bytes from 1024 to 1073741824",
    example: "52428800",
  },
} satisfies Record<string, Variable<unknown>>;
