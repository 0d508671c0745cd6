// For the packages of bench/package.json: types are checked without them.
declare module 'express'
