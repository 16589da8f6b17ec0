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

// Drawn on a grid of 20 with a stroke of 1.6, which matches the weight of the text.
const iconPaths = {
  templates: "M5 3.5h7l3.5 3.5v9.5H5zM12 3.5V7h3.5M7.5 10.5h5M7.5 13.5h3",
  documents: "M4 6.5h9v10H4zM7 6.5v-3h9v10h-3",
  batches:
    "M10 3.5l7 3.5-7 3.5L3 7zM3.5 10.3l6.5 3.2 6.5-3.2M3.5 13.3l6.5 3.2 6.5-3.2",
  webhooks: "M17 3.5L9 11.5M17 3.5l-5 13.5-3-5.5L3.5 8.5z",
  connections:
    "M7.5 3.5v4M12.5 3.5v4M5.5 7.5h9v2.5a4.5 4.5 0 0 1-9 0zM10 14.5v2.5",
  usage: "M3.5 16.5h13M6 16.5v-5M10 16.5v-9M14 16.5V4",
  more: "M4 10h.6M9.7 10h.6M15.4 10h.6",
  key: "M12.5 11a4 4 0 1 0-3.8-2.7L3.5 13.5v3H6.5v-2h2v-2h1.4l.8-.8a4 4 0 0 0 1.8-.7zM13.5 6.5h.01",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5",
  star: "M10 3.2l2.1 4.3 4.7.7-3.4 3.3.8 4.7L10 14l-4.2 2.2.8-4.7L3.2 8.2l4.7-.7z",
  back: "M12.5 4.5L7 10l5.5 5.5",
  next: "M7.5 4.5L13 10l-5.5 5.5",
  download: "M10 3.5v9M6.5 9.5L10 13l3.5-3.5M4 16.5h12",
  open: "M8 4.5H4.5v11h11V12M11.5 4.5h4v4M15 5l-6 6",
  copy: "M7 7h8.5v9.5H7zM4.5 13V3.5h8",
  plus: "M10 4.5v11M4.5 10h11",
  minus: "M4.5 10h11",
  account:
    "M10 10a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 10 10zM4 16.5c.7-3 3-4.5 6-4.5s5.3 1.5 6 4.5",
  leave: "M8 3.5H4.5v13H8M8.5 10h8M13.5 6.5L17 10l-3.5 3.5",
  mail: "M3.5 5.5h13v9h-13zM3.5 6l6.5 5 6.5-5",
  heading: "M5 4v12M15 4v12M5 10h10",
  text: "M4 5.5V4h12v1.5M10 4v12M8 16h4",
  list: "M8 5.5h8.5M8 10h8.5M8 14.5h8.5M4 5.5h.01M4 10h.01M4 14.5h.01",
  markdown:
    "M2.5 5h15v10h-15zM5 12.5v-5l2.2 2.8 2.3-2.8v5M13.5 7.5v5M11.8 10.8l1.7 1.7 1.7-1.7",
  code: "M7 6l-4 4 4 4M13 6l4 4-4 4",
  box: "M3.5 4.5h13v11h-13z",
  columns: "M3.5 4.5h13v11h-13zM10 4.5v11",
  group:
    "M3.5 6.5v-3h3M13.5 3.5h3v3M16.5 13.5v3h-3M6.5 16.5h-3v-3M7.5 7.5h5v5h-5z",
  divider: "M3 10h14M6 5.5h8M6 14.5h8",
  spacer: "M4 4h12M4 16h12M10 7v6M8 8.5L10 6.5l2 2M8 11.5l2 2 2-2",
  table: "M3.5 4.5h13v11h-13zM3.5 8.2h13M3.5 11.8h13M8.5 4.5v11",
  row: "M3.5 7h13v6h-13zM9 7v6",
  cell: "M3.5 4.5h13v11h-13zM3.5 10h6.5V4.5",
  image: "M3.5 4.5h13v11h-13zM3.5 13l4-3.5 3 2.5 2.5-2 3.5 3M12.8 7.7h.01",
  button: "M3 6.5h14v7H3zM7 10h6",
  qrcode:
    "M4 4h4.5v4.5H4zM11.5 4H16v4.5h-4.5zM4 11.5h4.5V16H4zM11.5 11.5h1.5M16 11.5V14M11.5 14.5V16h2M16 16h.01",
  barcode: "M4 4.5v11M6.5 4.5v11M9.5 4.5v11M11.5 4.5v11M14 4.5v11M16 4.5v11",
  chart: "M3.5 16.5h13M5.5 14V9M9 14V5M12.5 14v-3.5M16 14V7.5",
  break: "M5 3.5v3.5h10V3.5M5 16.5V13h10v3.5M3 10h2.5M8.7 10h2.6M14.5 10H17",
  number: "M8 4L6.5 16M13.5 4L12 16M4 8h12.5M3.5 12H16",
  sign: "M3.5 16.5h13M4.5 13c2-6.5 4.5-9.5 5.5-8.5.9.9-2 6-3.5 8 2-2.5 3.5-3.5 4-3s-.5 1.8 0 2.5c.6.8 2.5-.5 4.5-2",
  section: "M3 7h14v6H3zM3 3.5h14M3 16.5h14",
  hero: "M3.5 4.5h13v11h-13zM6.5 9h7M8 12h4",
  social:
    "M6 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14 17a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.8 9.1l4.4-3.1M7.8 10.9l4.4 3.1",
  outward: "M4.5 8.5L8.5 4.5l4 4M8.5 4.5V12a3.5 3.5 0 0 0 3.5 3.5h4",
  undo: "M7.5 4L4 7.5 7.5 11M4 7.5h7.5a4.5 4.5 0 0 1 0 9H8",
  redo: "M12.5 4L16 7.5 12.5 11M16 7.5H8.5a4.5 4.5 0 0 0 0 9H12",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v4.5M11.5 9v4.5",
  edit: "M4 16l.8-3.5L13 4.3 15.7 7l-8.2 8.2zM11.5 5.8l2.7 2.7",
  eye: "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  hidden:
    "M3.5 3.5l13 13M8.3 5.2C8.8 5.1 9.4 5 10 5c4.5 0 7.5 5 7.5 5s-.8 1.3-2.2 2.6M5 7C3.4 8.3 2.5 10 2.5 10s3 5 7.5 5c1.2 0 2.3-.4 3.3-.9",
  down: "M5 7.5l5 5 5-5",
  up: "M5 12.5l5-5 5 5",
  close: "M5 5l10 10M15 5L5 15",
  check: "M4 10.5l4 4 8-9",
  warn: "M10 3.5l7 12.5H3zM10 8v4M10 14h.01",
  filter: "M3.5 5h13l-5 6v5l-3-1.5V11z",
  sort: "M6 4v12M3.5 13.5L6 16l2.5-2.5M11 5h5.5M11 9h4M11 13h2.5",
  repeat:
    "M4 9V7.5A2.5 2.5 0 0 1 6.5 5H16M13.5 2.5L16 5l-2.5 2.5M16 11v1.5a2.5 2.5 0 0 1-2.5 2.5H4M6.5 17.5L4 15l2.5-2.5",
  condition: "M10 3l5.5 5.5L10 14 4.5 8.5zM10 14v3.5",
  data: "M10 7.5c3.5 0 6-1 6-2.2S13.5 3 10 3 4 4 4 5.3s2.5 2.2 6 2.2zM4 5.3v9.4C4 16 6.5 17 10 17s6-1 6-2.3V5.3M4 10c0 1.2 2.5 2.2 6 2.2s6-1 6-2.2",
  outline: "M4 5h5M7 10h6M7 15h9M4 5v0M4.8 5v10H7M4.8 10H7",
  page: "M5 3.5h10v13H5zM7.5 7h5M7.5 10h5",
  settings:
    "M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  palette: "M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM13.5 11v5M11 13.5h5",
  history: "M4 5.5V9h3.5M4.3 9A6 6 0 1 1 4 11.5M10 7v3.5l2.5 1.5",
  folder: "M3 5.5h5l1.5 2H17v8.5H3z",
  phone: "M6.5 3h7v14h-7zM9.5 14.8h1",
  bold: "M6 4h4.5a3 3 0 0 1 0 6H6zM6 10h5.2a3 3 0 0 1 0 6H6z",
  italic: "M8.5 4H15M5 16h6.5M12 4L8 16",
  underline: "M6 4v5.5a4 4 0 0 0 8 0V4M5 16.5h10",
  strike:
    "M3.5 10h13M14 6.5C13.6 5 12 4 10 4 7.8 4 6 5.2 6 7c0 1.3.8 2.3 2.5 3M6 13.5c.4 1.5 2 2.5 4 2.5 2.2 0 4-1.2 4-3",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1-1",
  plain: "M4 4.5h9M8.5 4.5l-2 11M12 11.5l4.5 4.5M16.5 11.5L12 16",
  move: "M3.5 5h4.5l2 2h6.5v9h-13zM7.5 11.5H13M11 9.5l2 2-2 2",
  restore: "M4.5 8.5H12a4 4 0 0 1 0 8H8M7.5 5.5l-3 3 3 3",
  font: "M4.5 16L9.3 4.5h1.4L15.5 16M6.3 12h7.4",
  video: "M3.5 5.5h9v9h-9zM12.5 9l4-2v6l-4-2",
  upload: "M10 13V4.5M6.5 8L10 4.5 13.5 8M4 16.5h12",
  people:
    "M7.5 9.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM2.5 16c.5-2.7 2.5-4 5-4s4.5 1.3 5 4M13 4.2a2.6 2.6 0 0 1 0 5M14.5 12.2c1.7.4 2.7 1.7 3.1 3.8",
  audit:
    "M10 3.5l6 2V10c0 3.5-2.5 5.3-6 6.8-3.5-1.5-6-3.3-6-6.8V5.5zM7.3 10l2 2 3.5-3.7",
  plugins: "M4 7.5h3.3a1.9 1.9 0 1 1 3.6 0H14v3.2a1.9 1.9 0 1 1 0 3.6v2.2H4z",
  calendar: "M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5",
  attachment:
    "M15.5 9.5l-5.3 5.3a3.4 3.4 0 0 1-4.8-4.8L11 4.4a2.2 2.2 0 0 1 3.2 3.2l-5.5 5.5a1 1 0 0 1-1.6-1.5L12 6.7",
  from: "M16.5 10h-13M8 5.5L3.5 10 8 14.5",
  formula: "M14 4.5H6l5 5.5-5 5.5h8",
  "align-left": "M3.5 5h13M3.5 10h8M3.5 15h11",
  "align-center": "M3.5 5h13M6 10h8M4.5 15h11",
  "align-right": "M3.5 5h13M8.5 10h8M5.5 15h11",
  "align-both": "M3.5 5h13M3.5 10h13M3.5 15h13",
  landscape: "M3.5 5h13v10h-13zM7 8.5h6M7 11.5h6",
  moon: "M16 11.8A6.5 6.5 0 1 1 8.2 4a5.2 5.2 0 0 0 7.8 7.8z",
} as const;

export type IconName = keyof typeof iconPaths;
