/** The path of a file as seen from a workflow's own file. Pure. */

/**
 * Relative for what lies beside the workflow or below it, so that both can be moved together; else as it is.
 * `from` is the workflow's file, null while it has none.
 */
export function pathFrom(from: string | null, path: string): string {
  if (from === null) return path
  const folder = from.replace(/[^\\/]*$/, '')
  if (folder === '' || !path.startsWith(folder)) return path
  const rest = path.slice(folder.length)
  return rest === '' ? path : rest.replaceAll('\\', '/')
}
