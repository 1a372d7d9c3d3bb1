/** Which settings a person is looking for. Pure. */

import type { SettingReport } from '../../../src-engine/model/settings/setting-report.ts'

/** Whether somebody chose its value. */
export const isChanged = ({ source }: SettingReport): boolean => source !== 'default' && source !== 'derived'

/** Those whose name or meaning has every word of the text, in the order of the catalogue. */
export function foundSettings(
  settings: readonly SettingReport[],
  wanted: { readonly text: string; readonly isOnlyChanged: boolean },
): readonly SettingReport[] {
  const words = wanted.text
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '')
  return settings.filter((setting) => {
    if (wanted.isOnlyChanged && !isChanged(setting)) return false
    const { name, meaning, place } = setting
    const all = `${name} ${name.replaceAll('_', ' ')} ${meaning} ${place ?? ''}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
