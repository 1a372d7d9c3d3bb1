/** How a step names a workflow in a file: from where its own file is, so that both can move together. Pure. */

/** `./part.json` for a file beside or below, else the whole path. `from` is the file of the workflow that names it. */
export function referenceTo(path: string, from: string | null): string {
  const folder =
    from === null ? null : from.slice(0, Math.max(from.lastIndexOf('/'), from.lastIndexOf('\\')) + 1)
  if (folder === null || folder === '' || !path.startsWith(folder)) return path
  return `./${path.slice(folder.length).replaceAll('\\', '/')}`
}
