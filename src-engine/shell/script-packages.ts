/** Which packages of npm code may import here, and what a runner says of it. */

import type { EngineSettings } from '../model/settings/engine-settings.ts'
import type { AllowedPackages } from '../tasks/javascript/packages/package-graph.ts'
import { openPackageFiles } from '../tasks/javascript/packages/resolve-import.ts'

type PackageSettings = Pick<EngineSettings, 'scriptPackages' | 'scriptPackagesFolder'>

/** Where nobody allows any. */
export const noPackagesAllowed: AllowedPackages = { allowed: [], folder: '' }

/** Those that the settings allow; they are looked for in the data directory where the settings name no folder. */
export const allowedPackages = (
  { scriptPackages, scriptPackagesFolder }: PackageSettings,
  dataFolder: string,
): AllowedPackages => ({
  allowed: scriptPackages,
  folder: scriptPackagesFolder === '' ? dataFolder : scriptPackagesFolder,
})

/** What a step may require of its runner: `npm:lodash@4.17.21` for each package that is allowed and there. */
export async function packageAbilities({ allowed, folder }: AllowedPackages): Promise<readonly string[]> {
  if (allowed.length === 0) return []
  const files = await openPackageFiles(folder)
  const versions = await Promise.all(allowed.map((name) => files.versionOf(name)))
  return allowed.flatMap((name, index) => {
    const version = versions[index] ?? null
    return version === null ? [] : [`npm:${name}@${version}`]
  })
}
