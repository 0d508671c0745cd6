export declare const betterWords: (text: string) => string[]
