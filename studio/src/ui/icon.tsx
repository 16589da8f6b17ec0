import { type IconName, iconPaths } from "./icon-paths.js";

export type { IconName } from "./icon-paths.js";

interface IconProps {
  name: IconName;
  isFilled?: boolean;
  size?: number;
}

/** A decorative icon, hidden from screen readers. */
export function Icon({ name, isFilled = false, size = 20 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill={isFilled ? "currentColor" : "none"}
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
