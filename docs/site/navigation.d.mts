export const navigation: { title: string; label: string; pages: string[] }[];
