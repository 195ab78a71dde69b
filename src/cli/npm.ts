// Whether the program runs as a script of its own package, from a clone.

/** True under `npm start`, `npm run cli` and the like. */
export function isUnderNpm(): boolean {
  return process.env['npm_package_name'] === 'memory-gateway';
}

/** How the program is called here. */
export function calledAs(): string {
  return isUnderNpm() ? 'npm run -s cli --' : 'memory-gateway';
}
