# Networks of Orbit in Python's PyTorch: one training step for each line read, its seconds for each
# line written. The first line says which version answers.
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

network, batch, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(threads)


def convnet():
    channels = [3, 32, 64, 64, 128, 128]
    layers = []
    for i in range(5):
        layers += [nn.Conv2d(channels[i], channels[i + 1], 3, padding=1), nn.ReLU(inplace=True)]
        if i >= 3:
            layers.append(nn.MaxPool2d(3))
    layers += [nn.Flatten(), nn.Linear(1152, 10)]
    return nn.Sequential(*layers).to(memory_format=torch.channels_last)


def dense(a, b, relu=True):
    layers = [nn.Linear(a, b), nn.BatchNorm1d(b)]
    return nn.Sequential(*(layers + [nn.ReLU(inplace=True)] if relu else layers))


class Transform(nn.Module):
    """A matrix for each cloud: the identity and what a small PointNet says."""

    def __init__(self, k):
        super().__init__()
        self.k = k
        self.points = nn.Sequential(dense(k, 64), dense(64, 128), dense(128, 1024))
        self.head = nn.Sequential(dense(1024, 512), dense(512, 256), nn.Linear(256, k * k))

    def forward(self, x):
        n, p, k = x.shape
        y = self.points(x.reshape(n * p, k)).view(n, p, -1).amax(1)
        return self.head(y).view(n, k, k) + torch.eye(k)


class PointNet(nn.Module):
    def __init__(self, transforms):
        super().__init__()
        self.transforms = transforms
        if transforms:
            self.stn, self.fstn = Transform(3), Transform(64)
        self.first = dense(3, 64)
        self.rest = nn.Sequential(dense(64, 128), dense(128, 1024, relu=False))
        self.head = nn.Sequential(
            dense(1024, 512), nn.Linear(512, 256), nn.Dropout(0.4), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 40)
        )
        self.penalty = 0

    def forward(self, x):
        n, p, _ = x.shape
        y = x @ self.stn(x) if self.transforms else x
        y = self.first(y.reshape(n * p, 3)).view(n, p, 64)
        if self.transforms:
            a = self.fstn(y)
            self.penalty = 0.001 * torch.linalg.norm(a @ a.transpose(1, 2) - torch.eye(64), dim=(1, 2)).mean()
            y = y @ a
        y = self.rest(y.reshape(n * p, 64)).view(n, p, 1024).amax(1)
        return self.head(y)


if network == "convnet":
    net = convnet()
    x = torch.rand(batch, 3, 32, 32).to(memory_format=torch.channels_last)
    y = torch.arange(batch) % 10
else:
    net = PointNet(network == "pointnet-stn")
    x = torch.rand(batch, 1024, 3)
    y = torch.arange(batch) % 40
print(torch.__version__, flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    loss = F.cross_entropy(net(x), y) + getattr(net, "penalty", 0)
    loss.backward()
    loss.item()
    seconds = time.perf_counter() - start
    net.zero_grad()
    print(seconds, flush=True)
