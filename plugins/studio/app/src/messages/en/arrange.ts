export const arrange = {
  withMouse: "With the mouse",
  inText: "In a text",
  addOrRemove: "Add to the selection, or remove from it",
  selectArea: "Select everything in an area",
  menu: "Open the menu",
  insertField: "Insert a field",
  boldItalicUnderline: "Bold, italic, underlined",
  leaveText: "Stop typing",
  keyClick: "Click",
  keyDoubleClick: "Double-click",
  keyRightClick: "Right-click",
  keyDragFromEmpty: "Drag from an empty place",
} as const;
