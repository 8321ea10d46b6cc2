declare module 'virtual:emoji' {
  /** The names of the groups. */
  export const groups: readonly string[];
  /** Each emoji with its name, the index of its group, and search words separated by spaces. */
  export const emojis: readonly (readonly [emoji: string, label: string, group: number, tags: string])[];
}
