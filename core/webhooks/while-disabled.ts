/** Why a delivery was not tried. */
export const WHILE_DISABLED =
  "The endpoint was disabled or deleted before this could be sent.";
