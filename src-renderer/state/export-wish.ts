/** What somebody may want to have of a workflow. */

/** The forms that a workflow leaves in. */
export type ExportForm = 'json' | 'ts' | 'svg' | 'png'

/** What somebody wants to have of the workflow. Pictures go to files only. */
export type ExportWish =
  | { readonly to: 'file'; readonly form: ExportForm }
  | { readonly to: 'clipboard'; readonly form: 'json' | 'ts' }
