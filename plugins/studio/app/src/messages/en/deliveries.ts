export const deliveries = {
  delivery: "Delivery",
  pluginsLead: "Send finished documents on, such as by email.",
} as const;
