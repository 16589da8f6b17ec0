// Drawn on a grid of 20, with lines of 1.6: as heavy as the text beside them.
const paths = {
  templates: "M5 3.5h7l3.5 3.5v9.5H5zM12 3.5V7h3.5M7.5 10.5h5M7.5 13.5h3",
  documents: "M4 6.5h9v10H4zM7 6.5v-3h9v10h-3",
  batches:
    "M10 3.5l7 3.5-7 3.5L3 7zM3.5 10.3l6.5 3.2 6.5-3.2M3.5 13.3l6.5 3.2 6.5-3.2",
  webhooks: "M17 3.5L9 11.5M17 3.5l-5 13.5-3-5.5L3.5 8.5z",
  connections:
    "M7.5 3.5v4M12.5 3.5v4M5.5 7.5h9v2.5a4.5 4.5 0 0 1-9 0zM10 14.5v2.5",
  usage: "M3.5 16.5h13M6 16.5v-5M10 16.5v-9M14 16.5V4",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  key: "M12.5 11a4 4 0 1 0-3.8-2.7L3.5 13.5v3H6.5v-2h2v-2h1.4l.8-.8a4 4 0 0 0 1.8-.7zM13.5 6.5h.01",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5",
  star: "M10 3.2l2.1 4.3 4.7.7-3.4 3.3.8 4.7L10 14l-4.2 2.2.8-4.7L3.2 8.2l4.7-.7z",
  back: "M12.5 4.5L7 10l5.5 5.5",
  next: "M7.5 4.5L13 10l-5.5 5.5",
  download: "M10 3.5v9M6.5 9.5L10 13l3.5-3.5M4 16.5h12",
  open: "M8 4.5H4.5v11h11V12M11.5 4.5h4v4M15 5l-6 6",
  copy: "M7 7h8.5v9.5H7zM4.5 13V3.5h8",
  plus: "M10 4.5v11M4.5 10h11",
  account:
    "M10 10a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 10 10zM4 16.5c.7-3 3-4.5 6-4.5s5.3 1.5 6 4.5",
  leave: "M8 3.5H4.5v13H8M8.5 10h8M13.5 6.5L17 10l-3.5 3.5",
  mail: "M3.5 5.5h13v9h-13zM3.5 6l6.5 5 6.5-5",
} as const;

export type IconName = keyof typeof paths;

interface IconProps {
  name: IconName;
  isFilled?: boolean;
  size?: number;
}

/** A picture beside words, or in place of words that are said otherwise. */
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
      <path d={paths[name]} />
    </svg>
  );
}
