/** How texts are kept and looked for in the gallery: letter case and composition of accents do not matter. */
export function searchText(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .join('\n')
    .normalize('NFC')
    .toLowerCase()
}

/** Pattern of `like` for texts that contain a text; an index may serve it, which `strpos` never has. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
