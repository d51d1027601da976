public func lazyMain() {}
